package cli

import (
	"errors"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// No cluster runs where the tests do: these hold deploy/cluster and deploy/kubernetes.yaml
// against the program, the image and each other.

// sample stands for what is secret in these files. It is a master key, too.
const sample = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

// nodeEnvironment holds that the variables of a node are settings, or the master key, and
// that they put all state where the other nodes find it.
func nodeEnvironment(t *testing.T, env map[string]string) {
	t.Helper()
	env = maps.Clone(env)
	if env[keyVariable] == "" {
		t.Errorf("nodes have no %s: each would make a key of its own", keyVariable)
	}
	delete(env, keyVariable)
	settingsOf(t, env)
	if u, err := url.Parse(env["SVC_STORE"]); err != nil || u.Scheme != "postgres" {
		t.Errorf("the store is %q", env["SVC_STORE"])
	}
	if u, err := url.Parse(env["SVC_FILES"]); err != nil || u.Scheme != "s3" {
		t.Errorf("the files are at %q", env["SVC_FILES"])
	}
	if env["SVC_PUBLIC_URL"] == "" || env["SVC_TRUSTED_PROXIES"] == "" {
		t.Error("behind a load balancer a node needs its public address and trusted proxies")
	}
}

func TestComposeClusterRunsTheImage(t *testing.T) {
	type service struct {
		Image            string
		Build            struct{ Context, Dockerfile, Target string }
		Ports, Volumes   []string
		Command, Tmpfs   []string
		Environment      map[string]string
		ReadOnly         bool `yaml:"read_only"`
		DependsOn        any  `yaml:"depends_on"`
		StopGracePeriods string
	}
	var compose struct {
		Services map[string]service
		Volumes  map[string]any
	}
	text := os.Expand(read(t, "deploy/cluster/compose.yaml"), func(name string) string {
		if name, must := strings.CutSuffix(name, ":?"); !must {
			t.Errorf("%s may be missing, and nobody would say so", name)
		}
		return strings.TrimRight(sample, "=")
	})
	if err := yaml.Unmarshal([]byte(text), &compose); err != nil {
		t.Fatal(err)
	}
	base, env, port := image(t)
	data := base.one(t, "VOLUME")
	var targets []string
	for name, s := range compose.Services {
		for _, v := range s.Volumes {
			from, _, _ := strings.Cut(v, ":")
			if _, declared := compose.Volumes[from]; !declared {
				if _, err := os.Stat(filepath.Join("..", "..", "deploy", "cluster", from)); err != nil {
					t.Errorf("%s: the volume %s: %v", name, v, err)
				}
			}
		}
		if s.Image != "svc" {
			continue
		}
		targets = append(targets, name+":"+port)
		if _, err := os.Stat(filepath.Join("..", "..", "deploy", "cluster", s.Build.Context, s.Build.Dockerfile)); err != nil {
			t.Error(err)
		}
		if !slices.ContainsFunc(stagesOf(t), func(st stage) bool { return st.name == s.Build.Target }) {
			t.Errorf("the Containerfile has no stage %s", s.Build.Target)
		}
		if len(s.Ports) > 0 || !s.ReadOnly {
			t.Errorf("%s is reached past the load balancer, or its image may be written to", name)
		}
		if !slices.ContainsFunc(s.Tmpfs, func(at string) bool {
			return strings.HasPrefix(at, data+":uid="+strings.SplitN(base.one(t, "USER"), ":", 2)[0])
		}) {
			t.Errorf("%s cannot write into %s: %q", name, data, s.Tmpfs)
		}
		nodeEnvironment(t, s.Environment)
		all := maps.Clone(env)
		maps.Copy(all, s.Environment)
		if all["SVC_LISTEN"] != "0.0.0.0:"+port {
			t.Errorf("%s listens on %s", name, all["SVC_LISTEN"])
		}
		for _, address := range []string{s.Environment["SVC_STORE"], s.Environment["SVC_FILES"]} {
			u, err := url.Parse(address)
			if err != nil {
				t.Fatal(err)
			}
			if _, there := compose.Services[u.Hostname()]; !there {
				t.Errorf("no service is called %s", u.Hostname())
			}
		}
		store, _ := url.Parse(s.Environment["SVC_STORE"])
		db := compose.Services["database"].Environment
		secret, _ := store.User.Password()
		if store.User.Username() != db["POSTGRES_USER"] || secret != db["POSTGRES_PASSWORD"] || store.Path != "/"+db["POSTGRES_DB"] {
			t.Errorf("the nodes' database is %s, there is %v", store.Redacted(), db)
		}
		files, _ := url.Parse(s.Environment["SVC_FILES"])
		bucket := compose.Services["bucket"]
		secret, _ = files.User.Password()
		if files.User.Username() != bucket.Environment["ROOT_ACCESS_KEY"] || secret != bucket.Environment["ROOT_SECRET_KEY"] ||
			!slices.Contains(bucket.Command, ":"+files.Port()) || !slices.Contains(compose.Services["folder"].Command, "/files"+files.Path) {
			t.Errorf("the nodes' bucket is %s, there is %v", files.Redacted(), bucket)
		}
	}
	if len(targets) != 3 {
		t.Errorf("the nodes are %q, want three", targets)
	}
	// The load balancer asks them all, for what they answer.
	caddy := read(t, "deploy/cluster/Caddyfile")
	slices.Sort(targets)
	for _, want := range []string{"reverse_proxy " + strings.Join(targets, " ") + " {", "health_uri /health\n", "flush_interval -1\n", "max_size 64MB\n", "lb_policy "} {
		if !strings.Contains(caddy, want) {
			t.Errorf("the load balancer does not say %q", want)
		}
	}
	at := find1(t, caddy, `(?m)^:(\d+) \{`)
	if ports := compose.Services["balancer"].Ports; len(ports) != 1 || !strings.HasPrefix(ports[0], "127.0.0.1:") || !strings.HasSuffix(ports[0], ":"+at) {
		t.Errorf("the load balancer listens on %s and offers %q", at, ports)
	}
}

// object is what the test reads of an object of Kubernetes.
type object struct {
	Kind       string
	Metadata   struct{ Name string }
	StringData map[string]string `yaml:"stringData"`
	Data       map[string]string
	Spec       struct {
		Replicas     int
		MinAvailable int `yaml:"minAvailable"`
		Selector     map[string]any
		Ports        []struct {
			TargetPort string `yaml:"targetPort"`
		}
		Strategy struct {
			RollingUpdate struct {
				MaxUnavailable int `yaml:"maxUnavailable"`
			} `yaml:"rollingUpdate"`
		}
		Template struct {
			Metadata struct{ Labels map[string]string }
			Spec     struct {
				Grace           int `yaml:"terminationGracePeriodSeconds"`
				SecurityContext struct {
					RunAsUser int `yaml:"runAsUser"`
				} `yaml:"securityContext"`
				Containers []container
				Volumes    []struct{ Name string }
			}
		}
	}
}

type container struct {
	Args    []string
	EnvFrom []map[string]struct{ Name string } `yaml:"envFrom"`
	Ports   []struct {
		Name          string
		ContainerPort string `yaml:"containerPort"`
	}
	Startup      probe `yaml:"startupProbe"`
	Readiness    probe `yaml:"readinessProbe"`
	Liveness     probe `yaml:"livenessProbe"`
	VolumeMounts []struct {
		Name string
		Path string `yaml:"mountPath"`
	} `yaml:"volumeMounts"`
}

type probe struct {
	Get struct{ Path, Port string } `yaml:"httpGet"`
}

func TestKubernetesRunsTheImage(t *testing.T) {
	of := map[string]object{}
	for d := yaml.NewDecoder(strings.NewReader(strings.ReplaceAll(read(t, "deploy/kubernetes.yaml"), "CHANGE-ME", sample[:8]))); ; {
		var o object
		if err := d.Decode(&o); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if _, twice := of[o.Kind]; twice || o.Metadata.Name != "svc" {
			t.Errorf("a second %s, or one called %s", o.Kind, o.Metadata.Name)
		}
		of[o.Kind] = o
	}
	base, env, port := image(t)
	d := of["Deployment"].Spec
	pod := d.Template.Spec
	if len(pod.Containers) != 1 {
		t.Fatalf("%d containers", len(pod.Containers))
	}
	c := pod.Containers[0]
	takes(t, c.Args...)
	given := map[string]string{}
	for _, from := range c.EnvFrom {
		for kind, ref := range from {
			o := of[map[string]string{"secretRef": "Secret", "configMapRef": "ConfigMap"}[kind]]
			if o.Metadata.Name != ref.Name {
				t.Errorf("%s of %s is not in the file", kind, ref.Name)
			}
			maps.Copy(given, o.StringData)
			maps.Copy(given, o.Data)
		}
	}
	nodeEnvironment(t, given)
	maps.Copy(env, given)
	ports := map[string]string{}
	for _, p := range c.Ports {
		ports[p.Name] = p.ContainerPort
	}
	if ports["http"] != port || env["SVC_LISTEN"] != "0.0.0.0:"+port || env["SVC_METRICS"] != "0.0.0.0:"+ports["metrics"] {
		t.Errorf("the ports are %v; it listens on %s, and on %s for metrics", ports, env["SVC_LISTEN"], env["SVC_METRICS"])
	}
	for _, p := range []probe{c.Startup, c.Readiness, c.Liveness} {
		if p.Get.Path != "/health" || ports[p.Get.Port] != port {
			t.Errorf("a probe asks for %+v", p.Get)
		}
	}
	if s := of["Service"].Spec; len(s.Ports) != 1 || s.Ports[0].TargetPort != "http" || s.Selector["app"] != d.Template.Metadata.Labels["app"] {
		t.Errorf("the service is %+v", s)
	}
	if pod.Grace < 30 || d.Strategy.RollingUpdate.MaxUnavailable != 0 {
		t.Errorf("%d s to stop, %d may be missing", pod.Grace, d.Strategy.RollingUpdate.MaxUnavailable)
	}
	if b := of["PodDisruptionBudget"].Spec; d.Replicas != 3 || b.MinAvailable <= 0 || b.MinAvailable >= d.Replicas {
		t.Errorf("of %d nodes %d must stay: nothing, or nobody, could ever be moved", d.Replicas, b.MinAvailable)
	}
	if user := find1(t, base.one(t, "USER"), `^(\d+):`); user != "65532" || pod.SecurityContext.RunAsUser != 65532 {
		t.Errorf("it runs as %d, the image as %s", pod.SecurityContext.RunAsUser, user)
	}
	mounts := map[string]string{}
	for _, m := range c.VolumeMounts {
		mounts[m.Path] = m.Name
	}
	if mounts[env["SVC_DATA"]] == "" || mounts["/tmp"] == "" || len(mounts) != len(pod.Volumes) {
		t.Errorf("it writes into %s and /tmp, the mounts are %v", env["SVC_DATA"], mounts)
	}
}
