import Stripe from 'stripe';

type Connection = ReturnType<typeof Stripe.createNodeHttpClient>;
type Response = Awaited<ReturnType<Connection['makeRequest']>>;

/**
 * Sends Stripe's requests as its own client does, and treats JSON that is no object as unreadable. With such a response
 * Stripe's library throws where no caller can catch it, and the call never settles.
 */
export class StripeHttpClient extends Stripe.HttpClient {
  private readonly connection = Stripe.createNodeHttpClient();

  override getClientName(): string {
    return this.connection.getClientName();
  }

  override async makeRequest(...request: Parameters<Connection['makeRequest']>): Promise<ObjectResponse> {
    return new ObjectResponse(await this.connection.makeRequest(...request));
  }
}

class ObjectResponse extends Stripe.HttpClientResponse {
  constructor(private readonly response: Response) {
    super(response.getStatusCode(), response.getHeaders());
  }

  override getRawResponse(): unknown {
    return this.response.getRawResponse();
  }

  override toStream(onComplete: () => void): unknown {
    return this.response.toStream(onComplete);
  }

  override async toJSON(): Promise<object> {
    const body: unknown = await this.response.toJSON();
    if (typeof body !== 'object' || body === null) throw new Error('The response is no object.');
    return body;
  }

  dispose(): void {
    this.response.dispose?.();
  }
}
