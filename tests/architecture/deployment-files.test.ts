import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename } from "node:path";

import { expect, test } from "vitest";
import { parse } from "yaml";

import { WEB_ARGS, WORKER_ARGS } from "@/scripts/service/supervisor/process-args";
import {
  composeServices,
  type Manifest,
  manifests,
  missingPrograms,
  OURS,
  ourPrograms,
  ourServices,
  settingsOf,
  workloads,
} from "./support/deployment-files";

/** A setting of the preparation alone (`scripts/service/settings.ts`), and where an Inngest server calls us. */
const BESIDE = new Set(["DATABASE_RUNTIME_URL", "INNGEST_SERVE_ORIGIN"]);
const IS_SECRET = /SECRET|PASSWORD|_KEY$|DATABASE\w*_URL$/;
const REFERENCE = String.raw`\$\{\w+(?::\?[^}]*)?\}`;

const settings = new Set(
  [...readFileSync("lib/env.ts", "utf8").matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map((m) => m[1]),
);

test("every variable that the files set is a setting of ours, of PostgreSQL or of Inngest", () => {
  expect(settings.size).toBeGreaterThan(25);
  const isSetting = (name: string) => settings.has(name) || BESIDE.has(name);
  const programs = ourPrograms();
  expect(programs.length).toBeGreaterThanOrEqual(6);
  const configured = manifests().flatMap(({ data = {} }) => Object.keys(data));
  const ours = [...programs.flatMap((program) => Object.keys(program.settings)), ...configured];
  expect(ours.filter((name) => !isSetting(name))).toEqual([]);
  const all = [...composeServices().values()].flatMap(({ environment = {} }) => Object.keys(environment));
  expect(all.filter((name) => !isSetting(name) && !/^(?:POSTGRES|INNGEST)_/.test(name))).toEqual([]);
});

test("every command starts a compiled program", () => {
  for (const { where, command } of ourPrograms()) {
    expect([where, command[0]]).toEqual([where, "node"]);
    expect([where, command.at(-1)]).toEqual([where, expect.stringMatching(/^dist\/[\w-]+\.js$/)]);
    expect([where, missingPrograms(command)]).toEqual([where, []]);
  }
});

test("secrets come only from references: none is written into a file", () => {
  const inEnvironment = [...composeServices()].flatMap(([where, { environment = {} }]) =>
    Object.entries(environment).map(([name, value]) => ({ where, name, value })),
  );
  const secrets = inEnvironment.filter(({ name }) => IS_SECRET.test(name));
  expect(secrets.length).toBeGreaterThan(8);
  const referred = new RegExp(`^(?:postgresql://\\w+:${REFERENCE}@[\\w:/]+|${REFERENCE})$`);
  expect(secrets.filter(({ value }) => !referred.test(value))).toEqual([]);
  const inPods = ourPrograms().filter(({ where }) => where.startsWith("deploy/"));
  const written = inPods.flatMap(({ where, settings: of }) =>
    Object.entries(of)
      .filter(([name, value]) => IS_SECRET.test(name) && value !== null)
      .map(([name]) => `${where}: ${name}`),
  );
  expect(written).toEqual([]);
  const configured = manifests().flatMap(({ data = {} }) => Object.keys(data));
  expect(configured.filter((name) => IS_SECRET.test(name))).toEqual([]);
});

test("our containers run without privileges, on a file system that they cannot write, within bounds of memory", () => {
  for (const [where, service] of ourServices()) {
    expect([where, service]).toEqual([
      where,
      expect.objectContaining({
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
        read_only: true,
        mem_limit: expect.stringMatching(/^\d+m$/),
      }),
    ]);
  }
  expect(workloads().length).toBe(3);
  for (const { pod, container } of workloads()) {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    });
    // OpenShift admits no pod that names a user. Kubernetes takes the image's, and checks that it is not root.
    expect(Object.keys({ ...pod.securityContext, ...container.securityContext })).not.toContain("runAsUser");
    expect(container).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      },
      resources: {
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.stringMatching(/^\d+Mi$/) },
      },
    });
  }
});

test("every program of ours gets the operator's further settings, where there are some", () => {
  expect(ourServices().length).toBe(3);
  for (const [where, service] of ourServices())
    expect([where, service.env_file]).toEqual([where, [{ path: "settings.env", required: false }]]);
  for (const { manifest, container } of workloads()) {
    const from = [{ configMapRef: { name: "crm" } }, { secretRef: { name: "crm-settings", optional: true } }];
    expect([manifest.file, container.envFrom]).toEqual([manifest.file, from]);
  }
});

test("a copy of .env.example sets nothing, and data are in the volume whatever the operator's settings say", () => {
  expect(readFileSync(".env.example", "utf8").match(/^[^#\n].*/gm)).toBeNull();
  const folders = ourPrograms().map(({ where, settings: { DATA_DIR } }) => [where, DATA_DIR]);
  expect(folders.filter(([, folder]) => folder !== "/data")).toEqual([]);
});

test("the pod of a preparation that fails stays, and its log with it", () => {
  const { pod } = workloads().find(({ manifest }) => manifest.kind === "Job") ?? {};
  expect(pod?.restartPolicy).toBe("Never");
});

test("an upgrade can apply the parts one after the other, by their labels", () => {
  const parts = manifests().flatMap(({ kind, metadata }) => (kind === "Kustomization" ? [] : [metadata.labels?.part]));
  expect(new Set(parts)).toEqual(new Set(["settings", "prepare", "web", "worker"]));
  const commands = readFileSync("docs/deploy.md", "utf8").match(/kubectl apply -k \S+ -l .*part.*/g) ?? [];
  const named = commands.flatMap((command) => /part(?:=| in \()([\w, ]*\w)/.exec(command)?.[1]?.split(", ") ?? []);
  expect([...new Set(named)].toSorted()).toEqual(["prepare", "settings", "web", "worker"]);
});

test("in Kubernetes, the secret is rotated by the preparation's job with another name and program", () => {
  const [, edits = ""] = /\bsed '([^']+)'/.exec(readFileSync("docs/deploy.md", "utf8")) ?? [];
  const edited = execFileSync("sed", [edits, "deploy/kubernetes/prepare.yaml"], { encoding: "utf8" });
  const job = parse(edited) as Manifest;
  expect(job.metadata.name).toBe("crm-rotate-secret");
  expect(job.metadata.labels).toMatchObject({ part: "prepare" });
  const [container] = job.spec?.template?.spec.containers ?? [];
  expect(container?.command).toEqual(["node", "dist/rotate-secret.js"]);
  expect(missingPrograms(container?.command ?? ["dist/none.js"])).toEqual([]);
});

/** Where a manifest has which variables: "Deployment crm-web web DATABASE_URL". */
function variablesOf({ kind, metadata, spec }: Manifest): string[] {
  const containers = spec?.template?.spec.containers ?? [];
  return containers.flatMap(({ name, env }) => env.map((each) => `${kind} ${metadata.name} ${name} ${each.name}`));
}

test("the patch of the page, by which web goes through a pooler of its own, changes what web has", () => {
  const page = readFileSync("docs/deploy.md", "utf8");
  const block = /^```yaml\n(patches:\n {2}- patch:[^]*?)^```/m.exec(page)?.[1] ?? "";
  const { patches } = parse(block) as { patches: { patch: string }[] };
  const patched = patches.flatMap(({ patch }) => variablesOf(parse(patch) as Manifest));
  expect(patched).toEqual(["Deployment crm-web web DATABASE_URL"]);
  expect(manifests().flatMap(variablesOf)).toEqual(expect.arrayContaining(patched));
});

test("the bucket of an example has its region beside it: signed for another one, every request is refused", () => {
  const texts = ["deploy/kubernetes/settings.yaml", ".env.example"].map((file) => readFileSync(file, "utf8"));
  for (const text of texts) {
    const region = /FILES_S3_URL[:=] ?https:\/\/bucket\.s3\.([\w-]+)\.amazonaws\.com/.exec(text)?.[1];
    expect(/FILES_S3_REGION[:=] ?([\w-]+)/.exec(text)?.[1]).toBe(region);
    expect(region).toBeDefined();
  }
});

test("probes ask addresses that exist", () => {
  const web = workloads().find(({ container }) => container.command.includes("dist/web.js"))?.container;
  const probes = (["startupProbe", "livenessProbe", "readinessProbe"] as const).map(
    (name) => web?.[name]?.httpGet?.path,
  );
  const inImage = /127\.0\.0\.1:'[^']*'([^']+)'/.exec(readFileSync("Dockerfile", "utf8"))?.[1];
  expect(probes).toEqual(["/api/health/live", "/api/health/live", "/api/health/ready"]);
  for (const path of [...probes, inImage]) expect([path, existsSync(`app${path}/route.ts`)]).toEqual([path, true]);
});

/** How a worker is asked at the port that it is given for that. */
function asking(path: string): string[] {
  const asked = `fetch('http://127.0.0.1:' + process.env.METRICS_PORT + '${path}')`;
  return ["node", "-e", `${asked}.then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))`];
}

test("a worker is asked whether it lives and whether it takes jobs, at the port that it is given for that", () => {
  const worker = workloads().find(({ container }) => container.command.includes("dist/worker.js"))?.container;
  expect(worker).toMatchObject({
    livenessProbe: { exec: { command: asking("/api/health/live") } },
    readinessProbe: { exec: { command: asking("/api/health/ready") } },
  });
  expect(worker?.env).toContainEqual({ name: "METRICS_PORT", value: "9464" });
  const composed = composeServices().get("compose.yaml: worker");
  expect(composed?.healthcheck?.test).toEqual(["CMD", ...asking("/api/health/ready")]);
  expect(composed?.environment).toHaveProperty("METRICS_PORT", "${METRICS_PORT:-9464}");
});

test("a worker that hangs is ended within three minutes, as docs/deploy.md says, also if it hears no signal", () => {
  const worker = workloads().find(({ container }) => container.command.includes("dist/worker.js"));
  const { periodSeconds = NaN, failureThreshold = NaN, timeoutSeconds = NaN } = worker?.container.livenessProbe ?? {};
  const graceSeconds = worker?.pod.terminationGracePeriodSeconds ?? NaN;
  // It may hang right after it has answered.
  expect(periodSeconds * failureThreshold + timeoutSeconds + graceSeconds).toBeLessThanOrEqual(180);
  for (const file of ["docs/deploy.md", "deploy/kubernetes/worker.yaml"])
    expect([file, readFileSync(file, "utf8")]).toEqual([file, expect.stringContaining("within three minutes")]);
});

test("manifests belong together: all are listed, and selectors select their pods", () => {
  const all = manifests();
  const listed = all.find(({ kind }) => kind === "Kustomization")?.resources ?? [];
  const files = globSync("deploy/kubernetes/*.yaml").map((file) => basename(file));
  expect(["kustomization.yaml", ...listed].toSorted()).toEqual(files.toSorted());
  const labels = workloads().map(({ manifest }) => manifest.spec?.template?.metadata.labels);
  const selectors = all.flatMap(({ spec }) => spec?.selector?.matchLabels ?? spec?.selector ?? []);
  expect(selectors.length).toBe(4);
  expect(labels).toEqual(expect.arrayContaining(selectors));
});

test("an Inngest server has both of its stores, and its queue survives a restart", () => {
  const services = composeServices();
  const commandOf = (name: string) => [services.get(`compose.inngest.yaml: ${name}`)?.command ?? []].flat().join(" ");
  expect(commandOf("inngest")).toMatch(/--postgres-uri=.* --redis-uri=/);
  expect(commandOf("redis")).toContain("--appendonly yes");
  expect(commandOf("redis")).toContain("--maxmemory-policy noeviction");
});

test("a PostgreSQL server counts as healthy only when it listens for the others", () => {
  const checks = [...composeServices().values()].flatMap(({ healthcheck }) => healthcheck?.test?.join(" ") ?? []);
  const ofPostgres = checks.filter((check) => check.includes("pg_isready"));
  expect(ofPostgres.length).toBe(2);
  expect(ofPostgres.filter((check) => !check.includes("-h 127.0.0.1"))).toEqual([]);
});

test("no image is whatever was published last", () => {
  const images = [...composeServices().values()].flatMap(({ image }) => image ?? []);
  const foreign = images.filter((image) => !image.startsWith(OURS));
  expect(foreign.length).toBeGreaterThanOrEqual(4);
  expect(foreign.filter((image) => !/:v?\d[\w.-]*$/.test(image))).toEqual([]);
});

test("compose builds our image once, and asks no registry for it", () => {
  const built = [...composeServices()].flatMap(([where, { build }]) => (build === undefined ? [] : [where]));
  expect(built).toEqual(["compose.yaml: prepare"]);
  for (const [where, { pull_policy: policy }] of ourServices()) expect([where, policy]).toEqual([where, "never"]);
});

test("what compose runs is said in .env, where an upgrade finds it: processes, engine, an image per release", () => {
  const services = composeServices();
  const replicas = [...services].flatMap(([where, { deploy }]) => (deploy ? [[where, deploy.replicas]] : []));
  expect(Object.fromEntries(replicas)).toEqual({
    "compose.yaml: web": "${WEB_REPLICAS:-1}",
    "compose.yaml: worker": "${WORKER_REPLICAS:-1}",
    "compose.inngest.yaml: worker": 0,
  });
  const images = ourServices().map(([, { image }]) => image);
  expect(new Set(images)).toEqual(new Set([`${OURS}:\${CRM_RELEASE:-latest}`]));
  const texts = ["docs/deploy.md", "README.md", "compose.yaml", "compose.inngest.yaml"];
  const commands = texts.flatMap((file) => readFileSync(file, "utf8").match(/docker compose [^&|`\n]+/g) ?? []);
  expect(commands.length).toBeGreaterThan(10);
  expect(commands.filter((command) => /^docker compose (?:-|.* --scale)/.test(command))).toEqual([]);
  const named = commands.flatMap((command) => /(?:exec|run|--wait|--no-deps)(?: -\S+)* (\w+)/.exec(command)?.[1] ?? []);
  expect(new Set(named)).toEqual(new Set(["postgres", "prepare", "web", "worker"]));
});

test("whatever compose.yaml takes from .env is named where docs/deploy.md says what belongs there", () => {
  const [section = ""] = /^## One machine: compose\n[^]*?(?=^## )/m.exec(readFileSync("docs/deploy.md", "utf8")) ?? [];
  const named = new Set(section.match(/\b[A-Z]+(?:_[A-Z]+)*\b/g));
  const taken = [...readFileSync("compose.yaml", "utf8").matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name);
  expect(new Set(taken).size).toBeGreaterThan(10);
  expect(taken.filter((name) => !named.has(name))).toEqual([]);
});

test("programs run with the flags of npm start, and are given the time that they take to stop", () => {
  const flags: Record<string, string[]> = {
    "dist/web.js": WEB_ARGS.slice(0, -1),
    "dist/worker.js": WORKER_ARGS.slice(0, -1),
  };
  const long = ourPrograms().filter(({ command }) => (command.at(-1) ?? "") in flags);
  expect(long.length).toBeGreaterThanOrEqual(4);
  for (const { where, command } of long)
    expect([where, command.slice(1, -1)]).toEqual([where, flags[command.at(-1) ?? ""]]);
  for (const { manifest, pod, container } of workloads().filter(({ manifest: { kind } }) => kind === "Deployment")) {
    const waits = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
    expect([manifest.file, pod.terminationGracePeriodSeconds]).toEqual([manifest.file, expect.any(Number)]);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(waits + stopSeconds(settingsOf(container)) + 6);
  }
  const composed = ourServices().map(([, service]) => service);
  expect(new Set(composed.map((each) => each.stop_grace_period))).toEqual(new Set(["${STOP_GRACE_PERIOD:-20s}"]));
  const longest = Math.max(...composed.map(({ environment = {} }) => stopSeconds(environment)));
  expect(longest + 6).toBeLessThanOrEqual(20);
});

/** How long a program takes to stop: nine seconds unless it is told otherwise, also a worker (inngest/worker.ts). */
function stopSeconds({ STOP_TIMEOUT_SECONDS: given = "9" }: Record<string, string | null>): number {
  return Number(/\d+/.exec(given ?? "")?.[0]);
}
