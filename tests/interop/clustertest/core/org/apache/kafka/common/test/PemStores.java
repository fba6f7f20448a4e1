package org.apache.kafka.common.test;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The key stores that Java reads, as PEM files, which kraftpy reads. */
final class PemStores {
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    private PemStores() {
    }

    /** Put a file of PEM in the place of each store that a configuration names. */
    static void replace(Map<String, Object> properties, Path directory) {
        for (String which : List.of("keystore", "truststore")) {
            Object location = properties.get("ssl." + which + ".location");
            Object password = properties.remove("ssl." + which + ".password");
            if (location == null || "PEM".equals(properties.get("ssl." + which + ".type"))) {
                continue;
            }
            try {
                KeyStore store = KeyStore.getInstance(new File(location.toString()), secret(password));
                Path file = directory.resolve(which + ".pem");
                Files.writeString(file, text(store, secret(properties.getOrDefault("ssl.key.password", password))));
                properties.put("ssl." + which + ".location", file.toString());
                properties.put("ssl." + which + ".type", "PEM");
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(location.toString(), e);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        properties.remove("ssl.key.password");
    }

    private static String text(KeyStore store, char[] password) throws GeneralSecurityException {
        StringBuilder text = new StringBuilder();
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias)) {
                append(text, "PRIVATE KEY", store.getKey(alias, password).getEncoded());
                for (Certificate certificate : store.getCertificateChain(alias)) {
                    append(text, "CERTIFICATE", certificate.getEncoded());
                }
            } else {
                append(text, "CERTIFICATE", store.getCertificate(alias).getEncoded());
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, String what, byte[] content) {
        text.append("-----BEGIN ").append(what).append("-----\n").append(LINES.encodeToString(content))
            .append("\n-----END ").append(what).append("-----\n");
    }

    private static char[] secret(Object password) {
        return password == null ? null : password.toString().toCharArray();
    }
}
