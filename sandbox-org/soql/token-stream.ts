import type { ApiError } from "../server/api-error";
import { unexpected } from "./soql-error";
import { tokenize, type Token } from "./tokenize";

/** Tokens and a read position. Keywords are case-insensitive. */
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

  /** True if the next tokens are these words or symbols. Reads nothing. */
  isNext(...texts: string[]): boolean {
    return texts.every((text, i) => this.peek(i).kind !== "string" && this.peek(i).text.toUpperCase() === text);
  }

  /** Reads these words or symbols if they are the next tokens. */
  accept(...texts: string[]): boolean {
    const accepted = this.isNext(...texts);
    if (accepted) this.position += texts.length;
    return accepted;
  }

  expect(text: string): void {
    if (!this.accept(text)) throw this.unexpectedToken();
  }

  name(): Token {
    const token = this.next();
    if (token.kind !== "name") throw this.unexpectedToken(token);
    return token;
  }

  integer(): number {
    const token = this.next();
    if (token.kind !== "number" || !/^\d+$/.test(token.text)) throw this.unexpectedToken(token);
    return Number(token.text);
  }

  unexpectedToken(token: Token = this.peek()): ApiError {
    return unexpected(this.source, token.at, token.text);
  }
}
