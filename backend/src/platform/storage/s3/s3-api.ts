import {
  S3Client,
  type $Command,
  type S3ClientConfig,
  type S3ClientResolvedConfig,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from '@aws-sdk/client-s3';
import { Logger } from '@nestjs/common';
import {
  BucketError,
  isRetryable,
  raceWithAbort,
  reasonOf,
  retryTemporary,
  type BucketTimeouts,
} from '../bucket/bucket-call.js';
import type { S3Location } from './s3-location.js';

/** For the region of a service that has none, which is still part of signatures. */
const DEFAULT_REGION = 'us-east-1';
/** In milliseconds. */
const CONNECTION_TIMEOUT = 5000;
/** Every slow client of a download occupies a connection; the server limits their number. */
const agent = { keepAlive: true, maxSockets: Infinity };

type S3Command<Input extends ServiceInputTypes, Output extends ServiceOutputTypes> = $Command<
  Input,
  Output,
  S3ClientResolvedConfig,
  ServiceInputTypes,
  ServiceOutputTypes
>;

export interface CallOptions {
  /** In milliseconds. */
  readonly patience?: number;
  readonly signal?: AbortSignal;
}

const logger = new Logger('Storage');

/** Runs calls of the SDK with a time limit and retries, as the calls to other buckets. */
export class S3Api {
  readonly client: S3Client;
  private readonly unsupported = new Set<string>();

  /** @param config overrides of the SDK's configuration; by default it finds the credentials of this machine */
  constructor(
    { region, endpoint, isPathStyle }: S3Location,
    private readonly timeouts: BucketTimeouts,
    config: S3ClientConfig = {},
  ) {
    this.client = new S3Client({
      ...(endpoint ? { endpoint, region: region ?? DEFAULT_REGION } : {}),
      ...(region ? { region } : {}),
      forcePathStyle: isPathStyle,
      // Other services reject the checksums that Amazon's accepts.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // Retried here, within the time limits.
      maxAttempts: 1,
      requestHandler: { connectionTimeout: CONNECTION_TIMEOUT, httpAgent: agent, httpsAgent: agent },
      ...config,
    });
  }

  /**
   * Sends an idempotent command, and repeats it after temporary errors.
   * @param name for the log
   * @param create returns the command; called for each attempt
   * @throws BucketError
   */
  send<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
    name: string,
    create: () => S3Command<Input, Output>,
    options: CallOptions = {},
  ): Promise<Output> {
    return retryTemporary(this.timeouts.pauses, () => this.sendOnce(name, create(), options));
  }

  /** Resolves to null, and logs it once, when the service doesn't have this call. */
  async nullIfUnsupported<T>(operation: Promise<T>): Promise<T | null> {
    try {
      return await operation;
    } catch (error) {
      if (!(error instanceof BucketError && [405, 501].includes(error.status ?? 0))) throw error;
      if (!this.unsupported.has(error.call)) {
        logger.warn(`The storage has no call to ${error.call}: a rule of the bucket must end unfinished uploads`);
      }
      this.unsupported.add(error.call);
      return null;
    }
  }

  /** Like `send`, without repeating it. */
  async sendOnce<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
    name: string,
    command: S3Command<Input, Output>,
    options: CallOptions = {},
  ): Promise<Output> {
    const controller = new AbortController();
    const limit = setTimeout(() => controller.abort(), options.patience ?? this.timeouts.answer);
    const signal = options.signal ? AbortSignal.any([controller.signal, options.signal]) : controller.signal;
    try {
      // Finding the credentials may need the network, and the SDK doesn't limit that.
      return await raceWithAbort(this.client.send(command, { abortSignal: signal }), signal);
    } catch (error) {
      throw toBucketError(name, error, signal.aborted);
    } finally {
      clearTimeout(limit);
    }
  }
}

/** An error of the SDK: of the service when it has a status, else of the network or the credentials. */
interface SdkError {
  readonly name: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** The clock of this machine is wrong; the SDK corrects the time of the next signature by that of the response. */
const CLOCK_SKEW = 'RequestTimeTooSkewed';

function toBucketError(call: string, error: unknown, isAborted: boolean): BucketError {
  if (error instanceof BucketError) return error;
  const { name, $metadata } = error as SdkError;
  const status = $metadata?.httpStatusCode ?? null;
  if (status !== null) return new BucketError(call, status, name, isRetryable(status) || name === CLOCK_SKEW);
  if (isAborted) return new BucketError(call, null, 'timeout', false);
  if (name === 'CredentialsProviderError') return new BucketError(call, null, 'no credentials', false);
  return new BucketError(call, null, reasonOf(error), true);
}

/** Resolves to null when the object doesn't exist. */
export async function nullIfMissing<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation;
  } catch (error) {
    if (error instanceof BucketError && error.status === 404 && error.reason !== 'NoSuchBucket') return null;
    throw error;
  }
}
