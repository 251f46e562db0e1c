import type { CampaignCounts, DeliveryResult } from './delivery.repository.js';

interface QueuedResult {
  readonly result: DeliveryResult;
  readonly done: () => void;
}

/** The longest and the first wait before a write that failed is tried again, in milliseconds. */
const INITIAL_RETRY_DELAY = 100;
const MAX_RETRY_DELAY = 2000;

/**
 * Writes results of sending: whoever hands one over waits until it is committed. Results that come while a write is
 * under way share the next one, so that the wait costs one commit and not one for each. A write that fails is tried
 * again until it works, for the mail has gone out and must not go out again.
 */
export class ResultRecorder {
  private readonly queue: QueuedResult[] = [];
  private writing: Promise<void> | null = null;
  private retrying = false;

  /**
   * @param write writes results of one campaign
   * @param written is told where the campaign stands after each write
   * @param failed is told of the first failure in a row
   */
  constructor(
    private readonly write: (campaignId: number, results: DeliveryResult[]) => Promise<CampaignCounts>,
    private readonly written: (counts: CampaignCounts) => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** True while results wait that could not be written: what they are about still looks unsent in the database. */
  get isBehind(): boolean {
    return this.retrying;
  }

  /** Resolves when the result is committed. */
  record(result: DeliveryResult): Promise<void> {
    const committed = new Promise<void>((done) => this.queue.push({ result, done }));
    this.writing ??= this.writeAll();
    return committed;
  }

  /** Resolves when everything is written and `written` has been told of it. */
  async flush(): Promise<void> {
    while (this.writing) await this.writing;
  }

  private async writeAll(): Promise<void> {
    while (this.queue.length > 0) {
      const { campaignId } = this.queue[0]!.result;
      const batch = this.queue.filter(({ result }) => result.campaignId === campaignId);
      const others = this.queue.filter(({ result }) => result.campaignId !== campaignId);
      this.queue.splice(0, this.queue.length, ...others);
      const counts = await this.persist(
        campaignId,
        batch.map(({ result }) => result),
      );
      for (const { done } of batch) done();
      await this.written(counts).catch(this.failed);
    }
    this.writing = null;
  }

  private async persist(campaignId: number, results: DeliveryResult[]): Promise<CampaignCounts> {
    for (let wait = INITIAL_RETRY_DELAY; ; wait = Math.min(wait * 2, MAX_RETRY_DELAY)) {
      try {
        const counts = await this.write(campaignId, results);
        this.retrying = false;
        return counts;
      } catch (error) {
        this.retrying = true;
        if (wait === INITIAL_RETRY_DELAY) this.failed(error);
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }
}
