import type { INestApplication } from '@nestjs/common';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import {
  ACCESS,
  ALLOW_INCOMPLETE_PROFILE,
  ALLOW_RESTRICTED,
  REQUIRE_REAUTHENTICATION,
  ALLOW_CROSS_SITE,
  SESSION_ONLY,
  type Access,
} from '../../src/platform/http/access.decorator.js';
import { NETWORK_LIMIT } from '../../src/platform/http/networks/network-limit.decorator.js';
import type { RateRule } from '../../src/platform/http/limits/rate-limit.service.js';

/** A route as its decorators declare it. */
export interface Route {
  readonly name: string;
  readonly method: string;
  /** With parameters as `:name`. */
  readonly path: string;
  readonly access: Access | undefined;
  readonly allowsRestricted: boolean;
  readonly allowsIncompleteProfile: boolean;
  readonly isSessionOnly: boolean;
  /** Needs a reauthentication within the last ten minutes. */
  readonly requiresReauthentication: boolean;
  /** Authenticated by signature, so it accepts requests from other sites. */
  readonly allowsCrossSite: boolean;
  /** Rate limit per network, in addition to the general one. */
  readonly networkLimit: RateRule | undefined;
}

/** Lists every route of every controller. */
export function listRoutes(app: INestApplication): Route[] {
  const controllers = app.get(DiscoveryService, { strict: false }).getControllers();
  return controllers.flatMap(({ instance, metatype }) => {
    const prototype = Object.getPrototypeOf(instance) as object;
    const names = new MetadataScanner().getAllMethodNames(prototype);
    return names.flatMap((name) => {
      const handler = (instance as Record<string, unknown>)[name] as (() => unknown) & object;
      const verb = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
      if (verb === undefined) return [];
      return [toRoute(metatype as never, handler as never, verb, `${metatype?.name}.${name}`)];
    });
  });
}

function toRoute(type: never, handler: never, verb: RequestMethod, name: string): Route {
  const reflector = new Reflector();
  const readMetadata = <T>(key: string) => reflector.getAllAndOverride<T>(key, [handler, type]);
  const controllerPath = Reflect.getMetadata(PATH_METADATA, type) as string;
  const handlerPath = Reflect.getMetadata(PATH_METADATA, handler) as string;
  return {
    name,
    method: RequestMethod[verb],
    path: `/${[controllerPath, handlerPath].join('/')}`.replace(/\/+/g, '/').replace(/(.)\/$/, '$1'),
    access: readMetadata<Access>(ACCESS),
    allowsIncompleteProfile: readMetadata<boolean>(ALLOW_INCOMPLETE_PROFILE) ?? false,
    allowsRestricted: readMetadata<boolean>(ALLOW_RESTRICTED) ?? false,
    isSessionOnly: readMetadata<boolean>(SESSION_ONLY) ?? false,
    requiresReauthentication: readMetadata<boolean>(REQUIRE_REAUTHENTICATION) ?? false,
    allowsCrossSite: readMetadata<boolean>(ALLOW_CROSS_SITE) ?? false,
    networkLimit: readMetadata<RateRule>(NETWORK_LIMIT),
  };
}
