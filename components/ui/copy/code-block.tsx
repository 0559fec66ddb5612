import classes from "@/components/ui/copy/code-block.module.css";
import { CopyButton } from "@/components/ui/copy/copy-button";

interface CodeBlockProps {
  text: string;
  /** What the copy button copies: "answer". Without it there is no button. */
  what?: string;
}

/** Code. Long lines wrap, so that nothing scrolls sideways. */
export function CodeBlock({ text, what }: CodeBlockProps) {
  return (
    <div className={classes.block}>
      {what && (
        <div className={classes.copy}>
          <CopyButton text={text} what={what} compact />
        </div>
      )}
      <pre className={classes.code}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
