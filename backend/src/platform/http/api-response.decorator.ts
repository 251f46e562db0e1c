import { applyDecorators, HttpCode, UseInterceptors, type NestInterceptor, type Type } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  type ApiResponseNoStatusOptions,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { map } from 'rxjs';
import type { ErrorFactory } from '../errors/app-error.js';
import { ApiErrors } from './errors/api-errors.decorator.js';
import { ApiAdminList, sendAdminPage, type AdminPage } from './lists/admin-list.js';
import { ApiList, sendPage, type Page } from './lists/list.js';

/** The class of a response body, or of the items of a list. */
type ResponseType = Type | [Type];
const responseOptions = (type: ResponseType) => ({ type }) as ApiResponseNoStatusOptions;

/** Documents the header with the total of an admin list. */
export const ApiTotal = { 'X-Total-Count': { schema: { type: 'integer' as const } } };

/** The metadata key under which Swagger stores a route's responses. */
const API_RESPONSES = 'swagger/apiResponse';

/**
 * Sets the summary of a route. Removes the responses that the compiler plugin infers from the return type, and keeps
 * those of errors.
 */
const describeRoute = (summary: string) => {
  const removeInferredResponses: MethodDecorator = (_target, _name, descriptor) => {
    const handler = descriptor.value as object;
    const documented = (Reflect.getMetadata(API_RESPONSES, handler) ?? {}) as object;
    const errors = Object.entries(documented).filter(([status]) => Number(status) >= 400);
    Reflect.defineMetadata(API_RESPONSES, Object.fromEntries(errors), handler);
  };
  return applyDecorators(removeInferredResponses, ApiOperation({ summary }));
};

/** Restricts a decorator to methods that return a `Page` of the given type. */
type PageMethodDecorator<P> = <M extends (...asked: never[]) => Promise<P>>(
  target: object,
  name: string | symbol,
  descriptor: TypedPropertyDescriptor<M>,
) => void;

/** Sends a page: its rows become the body, and its other properties become headers. */
const sendWith = <P>(send: (response: Response, page: P) => unknown[]) =>
  UseInterceptors({
    intercept: (context, next) => {
      const response = context.switchToHttp().getResponse<Response>();
      return next.handle().pipe(map((page: P) => send(response, page)));
    },
  } satisfies NestInterceptor);

/** Documents a route: a one-sentence summary, and the type of its response body. */
export const ApiJson = (summary: string, type: ResponseType) =>
  applyDecorators(HttpCode(200), describeRoute(summary), ApiOkResponse(responseOptions(type)));

/** The same for a route that creates something: 201. */
export const ApiCreated = (summary: string, type: ResponseType) =>
  applyDecorators(describeRoute(summary), ApiCreatedResponse(responseOptions(type)));

/** The same for a route without a response body: 204. */
export const ApiNoContent = (summary: string) =>
  applyDecorators(HttpCode(204), describeRoute(summary), ApiNoContentResponse());

/** The same for a paginated list: the method returns a `Page`, and its rows are the body. */
export const ApiPaginated = (
  summary: string,
  row: Type,
  headers?: typeof ApiTotal,
): PageMethodDecorator<Page<unknown>> =>
  applyDecorators(
    describeRoute(summary),
    ApiOkResponse({ ...responseOptions([row]), ...(headers ? { headers } : {}) }),
    ApiList(),
    sendWith<Page<unknown>>(sendPage),
  );

/** The same for an admin list: the method returns an `AdminPage`, and its rows are the body. */
export const ApiAdminPaginated = (summary: string, row: Type): PageMethodDecorator<AdminPage<unknown>> =>
  applyDecorators(
    describeRoute(summary),
    ApiOkResponse({ ...responseOptions([row]), headers: ApiTotal }),
    ApiAdminList(),
    sendWith<AdminPage<unknown>>(sendAdminPage),
  );

/** The same for a list as a CSV file. */
export const ApiCsv = (summary: string, ...errors: ErrorFactory[]) =>
  applyDecorators(
    describeRoute(summary),
    ApiProduces('text/csv'),
    ApiOkResponse({
      description: 'UTF-8 with a byte order mark',
      content: { 'text/csv': { schema: { type: 'string' } } },
    }),
    ApiErrors(...errors),
  );
