import { IMPORT_ORDER, objectName } from "@/lib/migration/objects/source-object-names";
import type { RiskCheck } from "@/lib/migration/report/facts";
import { exampleOf } from "@/lib/migration/report/risks/example-records";

/** Fields with rich text: images in it are addresses within the org, which no query reads, and die with it. */
export const imagesInRichText: RiskCheck = ({ mappings }) =>
  IMPORT_ORDER.flatMap((object) => {
    const texts = mappings[object]?.rich_texts ?? [];
    if (texts.length === 0) return [];
    const withImage = texts.find(({ image }) => image !== null);
    return [
      {
        severity: withImage ? ("warning" as const) : ("info" as const),
        code: "images_in_rich_text",
        object,
        count: null,
        title: `${objectName(object)}: images within rich text ${withImage ? "" : "would "}stay in Salesforce`,
        detail:
          `${texts.map(({ source }) => source).join(", ")} may contain images. The text is migrated, but an image ` +
          "within it is a link to Salesforce, which shows nothing once you have given up the org. They are not " +
          "copied with files either.",
        recommended_action: "Keep access to Salesforce for as long as you need these images, or save them before.",
        example: exampleOf(object, withImage?.image, null),
      },
    ];
  });
