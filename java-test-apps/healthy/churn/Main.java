// Much allocation, nothing kept but the last few results in a ring: the collector works, the heap does not grow.
package churn;

import java.util.ArrayList;
import java.util.List;
import pace.Pace;

/** Answers two thousand requests a second, each with some hundred short-lived objects. */
public final class Main {
    static final String[] lastAnswers = new String[32];

    private Main() {}

    private static String answer(long request) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            words.add("word-" + (request + i));
        }
        return String.join(" ", words);
    }

    public static void main(String[] args) {
        Pace pace = new Pace();
        long answered = 0;
        while (pace.running()) {
            for (; answered < pace.due(2000); answered++) {
                lastAnswers[(int) (answered % lastAnswers.length)] = answer(answered);
            }
            pace.pause();
        }
        System.out.printf("churn: %d answered%n", answered);
    }
}
