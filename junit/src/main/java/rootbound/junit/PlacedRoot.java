package rootbound.junit;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file and line of a local variable that holds an object. A recording names the method and the thread; the line is
 * that at which the thread is now, if it still is in this method.
 */
final class PlacedRoot {
    private static final Pattern LOCAL = Pattern.compile("local variable of (\\S+) \\(thread \"(.*)\"\\)(.*)");

    private PlacedRoot() {
    }

    /** The line with the place; unchanged where there is none. */
    static String of(String line, StackTraceElement[] ownStack) {
        Matcher local = LOCAL.matcher(line);
        if (!local.matches()) {
            return line;
        }
        String method = local.group(1);
        String thread = local.group(2);
        boolean isOwn = thread.equals(Thread.currentThread().getName());
        StackTraceElement frame = frame(method, isOwn ? ownStack : stackOf(thread));
        if (frame == null || frame.getFileName() == null) {
            return line;
        }
        String place = frame.getFileName() + (frame.getLineNumber() > 0 ? ":" + frame.getLineNumber() : "");
        String of = isOwn ? "" : ", thread \"" + thread + "\"";
        return "local variable of " + method + " (" + place + of + ")" + local.group(3);
    }

    private static StackTraceElement frame(String method, StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            if ((frame.getClassName() + "." + frame.getMethodName()).equals(method)) {
                return frame;
            }
        }
        return null;
    }

    private static StackTraceElement[] stackOf(String thread) {
        StackTraceElement[] found = new StackTraceElement[0];
        for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
            if (entry.getKey().getName().equals(thread)) {
                if (found.length > 0) {
                    // Two threads of one name: nobody knows which.
                    return new StackTraceElement[0];
                }
                found = entry.getValue();
            }
        }
        return found;
    }
}
