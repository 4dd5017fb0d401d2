/** Runs the cases of the tests of the Java library, and prints what each says: its name, and its failure or "passes". */
final class Said {
    interface Case {
        void run() throws Exception;
    }

    private Said() {
    }

    static void says(String name, Case work) {
        String text = "passes";
        try {
            work.run();
        } catch (AssertionError | Exception error) {
            text = (error instanceof AssertionError ? "" : error.getClass().getName() + ": ") + error.getMessage();
        }
        System.out.println("== " + name);
        System.out.println(text);
    }
}
