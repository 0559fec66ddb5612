/** Counts requests, for tests that assert them, and measures the memory of the process. */
export class Stats {
  /** Calls that count against the daily limit. */
  apiCalls = 0;
  private readonly requests = new Map<string, number>();
  private bytesSent = 0;
  private peakRss = 0;

  /** Counts a request by kind: ids and locators in the path become `{id}`. */
  count(method: string, path: string): void {
    const kind =
      `${method} ` +
      (path
        .replace(/^\/services\/data\/v\d+\.\d+/, "")
        .replace(/\/[A-Za-z0-9]{15}(?:[A-Za-z0-9]{3})?(?=[-/]|$)(-\d+)?/g, "/{id}") || "/");
    this.requests.set(kind, (this.requests.get(kind) ?? 0) + 1);
    this.peakRss = Math.max(this.peakRss, process.memoryUsage.rss());
  }

  addBytesSent(bytes: number): void {
    this.bytesSent += bytes;
  }

  /** Memory in bytes. */
  report(): {
    api_calls: number;
    requests: Record<string, number>;
    bytes_sent: number;
    rss: number;
    peak_rss: number;
    heap_used: number;
  } {
    const { rss, heapUsed } = process.memoryUsage();
    return {
      api_calls: this.apiCalls,
      requests: Object.fromEntries([...this.requests].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      bytes_sent: this.bytesSent,
      rss,
      peak_rss: Math.max(this.peakRss, rss, process.resourceUsage().maxRSS * 1024),
      heap_used: heapUsed,
    };
  }

  reset(): void {
    this.apiCalls = 0;
    this.bytesSent = 0;
    this.requests.clear();
  }
}
