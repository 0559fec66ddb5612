import { DCLinter } from "dclint";
import { Deployment } from "kubernetes-models/apps/v1";
import { Job } from "kubernetes-models/batch/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Service } from "kubernetes-models/v1";
import { expect, test } from "vitest";

import { type Manifest, manifests } from "./support/deployment-files";

/** Of style alone, except the last: the service's port is to be reached from other machines. */
const OFF = [
  "no-quotes-in-volumes",
  "require-project-name-field",
  "require-quotes-in-ports",
  "service-keys-order",
  "services-alphabetical-order",
  "no-unbound-port-interfaces",
];

function lint(...files: string[]): string[] {
  const rules = Object.fromEntries(OFF.map((rule) => [rule, 0] as const));
  const results = new DCLinter({ rules, quiet: true, debug: false, exclude: [] }).lintFiles(files, false);
  expect(results.map(({ filePath }) => filePath.split("/").at(-1))).toEqual(
    files.map((file) => file.split("/").at(-1)),
  );
  return results.flatMap(({ filePath, messages }) =>
    messages.map(({ line, message }) => `${filePath}:${line} ${message}`),
  );
}

test("the compose files are right by the schema and the rules of a linter, which finds what is wrong", () => {
  expect(lint("compose.yaml", "compose.inngest.yaml")).toEqual([]);
  expect(lint("tests/architecture/support/wrong-compose.yaml").join()).toContain("/services/web");
});

/** The schemas of what the manifests use. */
const KINDS: Record<string, new (manifest: never) => { validate(): void }> = {
  "apps/v1 Deployment": Deployment,
  "batch/v1 Job": Job,
  "policy/v1 PodDisruptionBudget": PodDisruptionBudget,
  "v1 ConfigMap": ConfigMap,
  "v1 Service": Service,
};

/** Throws what is wrong, by the schema of its version. */
function validate(manifest: Manifest): void {
  const { file, ...content } = manifest;
  const Kind = KINDS[`${content.apiVersion} ${content.kind}`];
  if (!Kind) throw new Error(`${file}: no schema for ${content.apiVersion} ${content.kind}.`);
  new Kind(content as never).validate();
}

test.each(manifests().filter(({ kind }) => kind !== "Kustomization"))(
  "$file: $kind $metadata.name is right by the schema of Kubernetes",
  (manifest) => {
    expect(() => validate(manifest)).not.toThrow();
  },
);

test("a manifest with a wrong or missing field, or of a kind that there is not, is found", () => {
  const web = manifests().find(({ kind, metadata }) => kind === "Deployment" && metadata.name === "crm-web");
  if (!web) throw new Error("There is no deployment of web.");
  const wrong = (changes: object): Manifest => ({ ...web, ...changes });
  expect(() => validate(wrong({ spec: { ...web.spec, replicas: "two" } }))).toThrow("replicas");
  expect(() => validate(wrong({ spec: { ...web.spec, selector: undefined } }))).toThrow("selector");
  expect(() => validate(wrong({ kind: "Deploiment" }))).toThrow("no schema for apps/v1 Deploiment");
});
