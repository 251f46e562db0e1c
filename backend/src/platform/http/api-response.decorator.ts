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

/** The class of an answer, or of the rows of one. */
type ResponseType = Type | [Type];
const responseOptions = (type: ResponseType) => ({ type }) as ApiResponseNoStatusOptions;

/** The length of an admin list, for the contract. */
export const ApiTotal = { 'X-Total-Count': { schema: { type: 'integer' as const } } };

/** Where Swagger keeps the answers of a route. */
const API_RESPONSES = 'swagger/apiResponse';

/** What a route does; the answers that the compiler guessed for it from its return type go, those of errors stay. */
const describeRoute = (summary: string) => {
  const removeInferredResponses: MethodDecorator = (_target, _name, descriptor) => {
    const handler = descriptor.value as object;
    const documented = (Reflect.getMetadata(API_RESPONSES, handler) ?? {}) as object;
    const errors = Object.entries(documented).filter(([status]) => Number(status) >= 400);
    Reflect.defineMetadata(API_RESPONSES, Object.fromEntries(errors), handler);
  };
  return applyDecorators(removeInferredResponses, ApiOperation({ summary }));
};

/** Goes with methods that give this, and with no others. */
type PageMethodDecorator<P> = <M extends (...asked: never[]) => Promise<P>>(
  target: object,
  name: string | symbol,
  descriptor: TypedPropertyDescriptor<M>,
) => void;

/** The rows of the page that a method gives become the body, and what else it tells goes into headers. */
const sendWith = <P>(send: (response: Response, page: P) => unknown[]) =>
  UseInterceptors({
    intercept: (context, next) => {
      const response = context.switchToHttp().getResponse<Response>();
      return next.handle().pipe(map((page: P) => send(response, page)));
    },
  } satisfies NestInterceptor);

/** What a route does, in a sentence, and the body that it answers with. */
export const ApiJson = (summary: string, type: ResponseType) =>
  applyDecorators(HttpCode(200), describeRoute(summary), ApiOkResponse(responseOptions(type)));

/** The same for what makes something: 201. */
export const ApiCreated = (summary: string, type: ResponseType) =>
  applyDecorators(describeRoute(summary), ApiCreatedResponse(responseOptions(type)));

/** The same for what answers without a body: 204. */
export const ApiNoContent = (summary: string) =>
  applyDecorators(HttpCode(204), describeRoute(summary), ApiNoContentResponse());

/** The same for a list by pages: the method gives a `Page`, its rows are the body. */
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

/** The same for a list of the administration: the method gives an `AdminPage`, its rows are the body. */
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
