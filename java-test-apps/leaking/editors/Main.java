// Figure 3(a) of the LeakBot paper: an IDE's page whose editor manager keeps every editor that was ever opened, with
// all its constituents, in the array of an ArrayList. Window and perspective both point to the page.
package editors;

import java.util.ArrayList;
import pace.Pace;

final class WorkbenchPage {
    final EditorManager manager = new EditorManager();
}

final class EditorManager {
    final ArrayList<Editor> editors = new ArrayList<>();

    /** One opened editor. Closing it should have taken it out of the list. */
    static final class Editor {
        final Document document;
        final String title;

        Editor(long number) {
            document = new Document(number);
            title = "Editor" + number + ".java";
        }

        /** Closes the window, and leaves the editor where it is. */
        void close() {
            document.modified = false;
        }
    }
}

final class Document {
    final StringBuilder text = new StringBuilder();
    boolean modified = true;

    Document(long number) {
        text.append("class Editor").append(number).append(" {}");
    }
}

final class Window {
    static WorkbenchPage page;

    private Window() {}
}

final class Perspective {
    static WorkbenchPage page;

    private Perspective() {}
}

/** Opens and closes two editors a second. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        Window.page = new WorkbenchPage();
        Perspective.page = Window.page;
        long opened = 0;
        while (pace.running()) {
            for (; opened < pace.due(2); opened++) {
                EditorManager.Editor editor = new EditorManager.Editor(opened);
                Window.page.manager.editors.add(editor);
                editor.close();
            }
            pace.pause();
        }
        System.out.printf("editors: %d opened, %d kept%n", opened, Perspective.page.manager.editors.size());
    }
}
