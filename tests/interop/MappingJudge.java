import java.io.BufferedReader;
import java.io.InputStreamReader;
import org.apache.kafka.common.security.ssl.SslPrincipalMapper;

/** Kafka's SslPrincipalMapper: reads "rules TAB name" lines, prints "= NAME", "- " without a rule, "! " for bad rules. */
public class MappingJudge {
    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] parts = line.split("\t", -1);
            String answer;
            try {
                SslPrincipalMapper mapper = SslPrincipalMapper.fromRules(parts[0]);
                try {
                    answer = "= " + mapper.getName(parts[1]);
                } catch (java.io.IOException noRule) {
                    answer = "-";
                }
            } catch (RuntimeException malformed) {
                answer = "!";
            }
            System.out.println(answer);
        }
    }
}
