import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';

/** A provider method with a certain decorator. */
export interface DecoratedMethod<Mark, Method> {
  /** The decorator's metadata. */
  readonly metadata: Mark;
  /** For messages: `TrashPurgeService.finish`. */
  readonly name: string;
  readonly call: Method;
  /** Returns the metadata of another decorator of the same method. */
  metadataOf<Other>(key: string): Other | undefined;
}

/** Finds provider methods by decorator. Each is returned once, even if several modules import its provider. */
@Injectable()
export class DecoratedMethodExplorer {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /**
   * Call this when all providers exist: in `onModuleInit` or later.
   * @param key metadata key of the decorator
   */
  findMethods<Mark, Method extends (...given: never[]) => unknown>(key: string): DecoratedMethod<Mark, Method>[] {
    const found = new Set(this.discovery.getProviders().map(({ instance }) => instance as unknown));
    return [...found].filter(isObject).flatMap((provider) => this.findMethodsOf<Mark, Method>(provider, key));
  }

  private findMethodsOf<Mark, Method extends (...given: never[]) => unknown>(provider: Provider, key: string) {
    const names = this.scanner.getAllMethodNames(Object.getPrototypeOf(provider) as object);
    return names.flatMap((name): DecoratedMethod<Mark, Method>[] => {
      const mark = this.reflector.get<Mark | undefined>(key, provider[name]!);
      if (mark === undefined) return [];
      const call = ((...given: unknown[]) => provider[name]!(...given)) as unknown as Method;
      const alsoMarked = <Other>(other: string) => this.reflector.get<Other | undefined>(other, provider[name]!);
      return [{ metadata: mark, name: `${provider.constructor.name}.${name}`, call, metadataOf: alsoMarked }];
    });
  }
}

type Provider = Record<string, (...given: unknown[]) => unknown>;

function isObject(value: unknown): value is Provider {
  return typeof value === 'object' && value !== null;
}
