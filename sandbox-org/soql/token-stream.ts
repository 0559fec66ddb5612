import type { ApiError } from "../server/api-error";
import { unexpected } from "./soql-error";
import { tokenize, type Token } from "./tokenize";

/** Tokens with a place to read from. Keywords are case-insensitive. */
export class TokenStream {
  private readonly tokens: readonly Token[];
  private position = 0;

  constructor(readonly source: string) {
    this.tokens = tokenize(source);
  }

  peek(ahead = 0): Token {
    return this.tokens[Math.min(this.position + ahead, this.tokens.length - 1)] as Token;
  }

  next(): Token {
    const token = this.peek();
    this.position += 1;
    return token;
  }

  /** True where the next tokens are these words or symbols; reads nothing. */
  sees(...texts: string[]): boolean {
    return texts.every((text, i) => this.peek(i).kind !== "string" && this.peek(i).text.toUpperCase() === text);
  }

  /** Reads these words or symbols if they come next. */
  takes(...texts: string[]): boolean {
    const seen = this.sees(...texts);
    if (seen) this.position += texts.length;
    return seen;
  }

  expects(text: string): void {
    if (!this.takes(text)) throw this.refusal();
  }

  name(): Token {
    const token = this.next();
    if (token.kind !== "name") throw this.refusal(token);
    return token;
  }

  integer(): number {
    const token = this.next();
    if (token.kind !== "number" || !/^\d+$/.test(token.text)) throw this.refusal(token);
    return Number(token.text);
  }

  refusal(token: Token = this.peek()): ApiError {
    return unexpected(this.source, token.at, token.text);
  }
}
