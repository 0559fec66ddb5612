import { formatBytes, formatCount, formatEstimate } from "@/lib/amounts";
import { answerWithin } from "@/lib/migration/report/answer-within";
import type { RiskCheck } from "@/lib/migration/report/facts";
import { COPIED_OBJECTS } from "@/lib/migration/report/measures/measure-files";
import type { Report, Risk } from "@/lib/migration/report/report-schema";
import { givePermission } from "@/lib/migration/report/risks/permissions";
import type { Survey } from "@/lib/migration/report/survey";
import { hasPermission } from "@/lib/salesforce/permissions";

/**
 * Files and attachments. Their numbers stand in the text: they are no records, and each of the two has its own. Users
 * without “Query All Files” find only files that they have access to, though they may see all data (Object Reference,
 * ContentDocument, "Special Access Rules").
 */
export const files: RiskCheck = async ({ client, estimate, survey }) => {
  const documents = documentsSentence(survey);
  const canSeeAll = await answerWithin((signal) => hasPermission(client, "QueryAllFiles", signal));
  const copying = copySentence(estimate.files, survey, canSeeAll);
  if (copying === null) return documents === null ? [] : [filesRisk("Documents stay in Salesforce", documents)];
  const sentences = [copying, canSeeAll === true ? null : HIDDEN_FILES, documents];
  return [
    filesRisk(
      "Files stay in Salesforce unless you have them copied",
      sentences.filter((sentence) => sentence !== null).join(" "),
      ...(canSeeAll === true ? [] : [`${givePermission("QueryAllFiles")}, and analyze again.`]),
      "Have those of migrated records copied (in the options of the configuration).",
    ),
  ];
};

function filesRisk(title: string, detail: string, ...actions: string[]): Risk {
  return {
    severity: "warning",
    code: "files",
    object: null,
    count: null,
    title,
    detail,
    recommended_action: [
      ...actions,
      "Export what else you need before you give up Salesforce (Setup › Data Export).",
    ].join(" "),
  };
}

const LATEST_ONLY = "Of each file only its latest version is copied.";

const HIDDEN_FILES =
  "A Salesforce user without “Query All Files” finds only the files that the user has access to, so there may be more.";

/** Null if there are none. Those that could not be measured, or that the user may not see, may be there. */
function copySentence(
  found: Report["estimate"]["files"],
  { objects }: Survey,
  canSeeAll: boolean | null,
): string | null {
  if (!found) {
    const isSeen = objects.some(({ name, count }) => COPIED_OBJECTS.includes(name) && count !== 0);
    return isSeen ? "By default a run does not copy attachments and files, which could not be counted." : null;
  }
  const { count, bytes, seconds, measured } = found;
  if (count === 0 && canSeeAll === false)
    return "By default a run does not copy attachments and files, of which the Salesforce user sees none.";
  if (count === 0) return null;
  const least = canSeeAll === true ? "" : "at least ";
  const number = formatCount(count, "attachment or file", "attachments and files");
  const size = bytes === null ? "" : `, ${measured === "sampled" ? "about " : ""}${formatBytes(bytes)}`;
  return (
    `By default a run does not copy them: ${least}${number}${size}. ` +
    `Copying each once would take ${formatEstimate(seconds)} after the records. ${LATEST_ONLY}`
  );
}

/** Null if there are none. */
function documentsSentence({ objects }: Survey): string | null {
  const documents = objects.find(({ name }) => name === "Document")?.count;
  if (documents === undefined || documents === 0) return null;
  if (documents === null) return "Documents of folders are not copied.";
  return `${formatCount(documents, "document of a folder is", "documents of folders are")} not copied.`;
}
