import { CopyButton } from "@/components/ui/copy/copy-button";
import classes from "@/components/ui/copy/code-block.module.css";

interface CodeBlockProps {
  text: string;
  /** What it is, for the button that copies it: "answer". Without it there is none. */
  what?: string;
}

/** Code as it is typed, without anything to scroll sideways. */
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
