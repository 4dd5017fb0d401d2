package rootbound.junit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the program {@code rootbound}, which reads recordings, as a process of its own. */
final class Analyzer {
    private static final long LONGEST_MINUTES = 10;

    private Analyzer() {
    }

    /**
     * Runs {@code rootbound} with these arguments and returns what it prints.
     *
     * @throws IllegalStateException if it cannot be started, does not end, or fails; with its own words
     */
    static synchronized String run(List<String> arguments) {
        try {
            List<String> command = new ArrayList<>();
            command.add(Home.binary(Home.ANALYZER).toString());
            command.addAll(arguments);
            Path output = Home.scratch("analyzer-output");
            Path errors = Home.scratch("analyzer-errors");
            try {
                int status = status(command, output, errors);
                if (status != 0) {
                    throw new IllegalStateException("rootbound " + String.join(" ", arguments) + " ended with status "
                            + status + ": " + text(errors).trim());
                }
                return text(output);
            } finally {
                Files.deleteIfExists(output);
                Files.deleteIfExists(errors);
            }
        } catch (IOException error) {
            throw new IllegalStateException("the analyzer cannot be run: " + error.getMessage(), error);
        }
    }

    /**
     * Checks descriptions of data structures.
     *
     * @throws IllegalArgumentException if a file cannot be read or has errors; each with its line and column
     */
    static synchronized void check(List<Path> descriptions) {
        if (descriptions.isEmpty()) {
            return;
        }
        List<String> arguments = new ArrayList<>(List.of("structures", "--check"));
        descriptions.forEach(file -> arguments.add("--dsl=" + file));
        try {
            run(arguments);
        } catch (IllegalStateException error) {
            throw new IllegalArgumentException(error.getMessage(), error);
        }
    }

    private static int status(List<String> command, Path output, Path errors) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectOutput(output.toFile()).redirectError(errors.toFile());
        // An agent for every JVM is none for this program, and messages are the same everywhere.
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process process = builder.start();
        process.getOutputStream().close();
        try {
            if (!process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)) {
                throw new IllegalStateException("rootbound did not end within " + LONGEST_MINUTES + " minutes");
            }
            return process.exitValue();
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the test was interrupted while rootbound read the heap", error);
        } finally {
            process.destroyForcibly();
        }
    }

    private static String text(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
