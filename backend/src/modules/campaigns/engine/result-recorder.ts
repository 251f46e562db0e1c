import type { CampaignCounts, DeliveryResult } from './delivery.policy.js';

interface QueuedResult {
  readonly result: DeliveryResult;
  readonly done: () => void;
}

/** Initial and maximum delay before a failed write is retried, in milliseconds. */
const INITIAL_RETRY_DELAY = 100;
const MAX_RETRY_DELAY = 2000;

/**
 * Records results of sending; callers wait until their result is committed. Results that arrive during a write share
 * the next one, so that waiting costs one commit rather than one per result. A failed write is retried until it
 * succeeds, because the email was sent and must not be sent again.
 */
export class ResultRecorder {
  private readonly queue: QueuedResult[] = [];
  private writing: Promise<void> | null = null;
  private retrying = false;

  /**
   * @param write records results of one campaign
   * @param written called with the campaign's state after each write, or null if the campaign no longer exists
   * @param failed called for the first of consecutive failures
   */
  constructor(
    private readonly write: (campaignId: number, results: DeliveryResult[]) => Promise<CampaignCounts | null>,
    private readonly written: (counts: CampaignCounts | null) => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** True while results could not be written; their deliveries still appear unsent in the database. */
  get isBehind(): boolean {
    return this.retrying;
  }

  /** Resolves when the result is committed. */
  record(result: DeliveryResult): Promise<void> {
    const committed = new Promise<void>((done) => this.queue.push({ result, done }));
    this.writing ??= this.writeAll();
    return committed;
  }

  /** Resolves when everything is written and `written` has been called for it. */
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

  private async persist(campaignId: number, results: DeliveryResult[]): Promise<CampaignCounts | null> {
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
