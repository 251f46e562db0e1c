import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';

/** A method of a provider that a decorator has marked. */
export interface DecoratedMethod<Mark, Method> {
  /** What the decorator says about it. */
  readonly metadata: Mark;
  /** For people: `TrashPurgeService.finish`. */
  readonly name: string;
  readonly call: Method;
  /** What another decorator says about the same method. */
  metadataOf<Other>(key: string): Other | undefined;
}

/** Finds the methods of providers that a decorator has marked; each once, however many modules see its provider. */
@Injectable()
export class DecoratedMethodExplorer {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /**
   * Call it when all providers are made: in `onModuleInit`, or later.
   * @param key under which the decorator keeps its mark
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
