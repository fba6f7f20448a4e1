import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeMetrics;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;

/**
 * A name node and a data node on loopback, told what to do line by line: put LOCAL REMOTE, close PATH (to all but its
 * owner), read. The answer is how many bytes of files were read so far.
 */
public class MiniHdfs {
    public static void main(String[] args) throws Exception {
        Configuration settings = new Configuration();
        settings.set("hdfs.minidfs.basedir", args[0]);
        // Small blocks: a client that stops in the midst of one has been sent the rest of it, too.
        settings.setInt("dfs.blocksize", 1 << 17);
        settings.setInt("dfs.namenode.fs-limits.min-block-size", 1 << 17);
        try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(settings).numDataNodes(1).build()) {
            cluster.waitActive();
            System.out.println("hdfs://127.0.0.1:" + cluster.getNameNodePort());
            FileSystem files = cluster.getFileSystem();
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ");
                switch (words[0]) {
                    case "put" -> files.copyFromLocalFile(new Path(words[1]), new Path(words[2]));
                    case "close" -> files.setPermission(new Path(words[1]), new FsPermission((short) 0700));
                    case "read" -> { }
                    default -> throw new IllegalArgumentException(line);
                }
                System.out.println(bytesRead(cluster));
            }
        }
    }

    private static long bytesRead(MiniDFSCluster cluster) throws Exception {
        Field counter = DataNodeMetrics.class.getDeclaredField("bytesRead");
        counter.setAccessible(true);
        return ((MutableCounterLong) counter.get(cluster.getDataNodes().get(0).getMetrics())).value();
    }
}
