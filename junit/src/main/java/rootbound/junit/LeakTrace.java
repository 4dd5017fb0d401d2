package rootbound.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Paths from GC roots as text for people. A path that passes an object with a name begins at this object. */
final class LeakTrace {
    private static final Pattern MARKED = Pattern.compile("(?:\\S+: )?(.*) \\[mark:(\\d+)\\]");

    private LeakTrace() {
    }

    /** Names of marks. */
    interface Names {
        /** The name of the object with this mark, or null. */
        String of(int mark);
    }

    /** The paths, with an empty line between two; each line begins with two spaces. */
    static String text(List<List<String>> paths, Names names) {
        StringBuilder text = new StringBuilder();
        for (List<String> path : paths) {
            text.append(text.length() == 0 ? "" : "\n");
            for (String line : lines(path, names)) {
                text.append("\n  ").append(line);
            }
        }
        return text.toString();
    }

    /** The lines of one path. */
    static List<String> lines(List<String> path, Names names) {
        List<String> lines = new ArrayList<>();
        for (String line : path) {
            Matcher marked = MARKED.matcher(line);
            if (!marked.matches()) {
                lines.add(line);
                continue;
            }
            String name = names.of(Integer.parseInt(marked.group(2)));
            if (name == null) {
                lines.add(line.substring(0, line.lastIndexOf(" [mark:")));
            } else {
                lines.clear();
                lines.add(name + " " + marked.group(1));
            }
        }
        return lines;
    }
}
