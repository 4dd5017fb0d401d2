import java.io.BufferedWriter;
import java.io.File;
import java.io.FileWriter;
import java.util.Iterator;

import org.graalvm.visualvm.lib.jfluid.heap.Heap;
import org.graalvm.visualvm.lib.jfluid.heap.HeapFactory;
import org.graalvm.visualvm.lib.jfluid.heap.Instance;

/** Asks VisualVM's heap library for every instance of a dump: id, own size, retained size, reachable or not. */
public class RetainedSizes {
    public static void main(String[] arguments) throws Exception {
        Heap heap = HeapFactory.createHeap(new File(arguments[0]));
        try (BufferedWriter out = new BufferedWriter(new FileWriter(arguments[1]))) {
            for (Iterator<Instance> all = heap.getAllInstancesIterator(); all.hasNext();) {
                Instance instance = all.next();
                out.write(Long.toHexString(instance.getInstanceId()) + " " + instance.getSize() + " "
                        + instance.getRetainedSize() + " " + (instance.getNearestGCRootPointer() != null) + "\n");
            }
        }
    }
}
