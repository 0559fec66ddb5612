import { globSync, readFileSync } from "node:fs";

import { parse, parseAllDocuments } from "yaml";

import { PROGRAMS } from "@/scripts/compile.mjs";

/** The image that `Dockerfile` makes, without its tag. */
export const OURS = "customer-relationship-service";

/** A program that the files start, with what they say about it. */
export interface Program {
  where: string;
  command: string[];
  /** Its settings: a text, or null for a reference to a secret. */
  settings: Record<string, string | null>;
}

export interface ComposeService {
  image?: string;
  build?: string;
  pull_policy?: string;
  command?: string | string[];
  environment?: Record<string, string>;
  env_file?: { path: string; required: boolean }[];
  cap_drop?: string[];
  security_opt?: string[];
  read_only?: boolean;
  mem_limit?: string;
  healthcheck?: { test?: string[] };
  stop_grace_period?: string;
  deploy?: { replicas: number | string };
}

/** The services of both compose files, by file and name. */
export function composeServices(): Map<string, ComposeService> {
  const files = ["compose.yaml", "compose.inngest.yaml"];
  return new Map(
    files.flatMap((file) => {
      const { services } = parse(readFileSync(file, "utf8"), { merge: true }) as {
        services: Record<string, ComposeService>;
      };
      return Object.entries(services).map(([name, service]) => [`${file}: ${name}`, service] as const);
    }),
  );
}

/** Those that run our image. */
export function ourServices(): (readonly [where: string, service: ComposeService])[] {
  return [...composeServices()].filter(([, { image }]) => image?.startsWith(OURS));
}

interface EnvVariable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string } };
}

interface Probe {
  httpGet?: { path: string };
  exec?: { command: string[] };
  periodSeconds?: number;
  timeoutSeconds?: number;
  failureThreshold?: number;
}

export interface Container {
  name: string;
  image: string;
  command: string[];
  env: EnvVariable[];
  envFrom?: ({ configMapRef: { name: string } } | { secretRef: { name: string; optional?: boolean } })[];
  securityContext?: object;
  resources?: { requests?: object; limits?: { memory?: string } };
  lifecycle?: { preStop?: { sleep?: { seconds: number } } };
  [probe: `${string}Probe`]: Probe | undefined;
}

export interface Manifest {
  file: string;
  apiVersion?: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  data?: Record<string, string>;
  resources?: string[];
  spec?: {
    selector?: { matchLabels?: Record<string, string> } & Record<string, unknown>;
    template?: { metadata: { labels: Record<string, string> }; spec: PodSpec };
  };
}

interface PodSpec {
  restartPolicy?: string;
  securityContext?: object;
  automountServiceAccountToken?: boolean;
  terminationGracePeriodSeconds?: number;
  containers: Container[];
}

/** Every document of the Kubernetes manifests. */
export function manifests(): Manifest[] {
  return globSync("deploy/kubernetes/*.yaml").flatMap((file) =>
    parseAllDocuments(readFileSync(file, "utf8")).map((document) => {
      if (document.errors.length > 0) throw new Error(`${file}: ${document.errors.join("; ")}`);
      return { ...(document.toJS() as Manifest), file };
    }),
  );
}

/** Those that run our image, with what they run. */
export function workloads(): { manifest: Manifest; pod: PodSpec; container: Container }[] {
  return manifests().flatMap((manifest) => {
    const pod = manifest.spec?.template?.spec;
    return pod ? pod.containers.map((container) => ({ manifest, pod, container })) : [];
  });
}

/** Everything that any of the files starts from our image. */
export function ourPrograms(): Program[] {
  const composed = ourServices().map(([where, { command, environment }]) => ({
    where,
    command: command === undefined ? imageCommand() : [command].flat(),
    settings: environment ?? {},
  }));
  const inPods = workloads().map(({ manifest, container }) => ({
    where: `${manifest.file}: ${manifest.metadata.name}`,
    command: container.command,
    settings: settingsOf(container),
  }));
  return [...composed, ...inPods];
}

/** The settings of a container: a text, or null for a reference to a secret. */
export function settingsOf({ env }: Container): Record<string, string | null> {
  return Object.fromEntries(
    env.map(({ name, value, valueFrom }) => [name, valueFrom?.secretKeyRef ? null : (value ?? "")]),
  );
}

/** What the image runs where nobody says otherwise. */
function imageCommand(): string[] {
  return JSON.parse(/^CMD (.*)$/m.exec(readFileSync("Dockerfile", "utf8"))?.[1] ?? "[]") as string[];
}

/** Which of the words is no program that `scripts/compile.mjs` makes. */
export function missingPrograms(words: readonly string[]): string[] {
  return words.filter((word) => word.startsWith("dist/") && !(word.slice(5, -3) in PROGRAMS));
}
