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
type Answer = Type | [Type];
const typed = (type: Answer) => ({ type }) as ApiResponseNoStatusOptions;

/** The length of an admin list, for the contract. */
export const ApiTotal = { 'X-Total-Count': { schema: { type: 'integer' as const } } };

/** Where Swagger keeps the answers of a route. */
const API_RESPONSES = 'swagger/apiResponse';

/** What a route does; the answers that the compiler guessed for it from its return type go, those of errors stay. */
const does = (summary: string) => {
  const forget: MethodDecorator = (_target, _name, descriptor) => {
    const handler = descriptor.value as object;
    const answers = (Reflect.getMetadata(API_RESPONSES, handler) ?? {}) as object;
    const errors = Object.entries(answers).filter(([status]) => Number(status) >= 400);
    Reflect.defineMetadata(API_RESPONSES, Object.fromEntries(errors), handler);
  };
  return applyDecorators(forget, ApiOperation({ summary }));
};

/** Goes with methods that give this, and with no others. */
type Sends<P> = <M extends (...asked: never[]) => Promise<P>>(
  target: object,
  name: string | symbol,
  descriptor: TypedPropertyDescriptor<M>,
) => void;

/** The rows of the page that a method gives become the body, and what else it tells goes into headers. */
const sentBy = <P>(send: (response: Response, page: P) => unknown[]) =>
  UseInterceptors({
    intercept: (context, next) => {
      const response = context.switchToHttp().getResponse<Response>();
      return next.handle().pipe(map((page: P) => send(response, page)));
    },
  } satisfies NestInterceptor);

/** What a route does, in a sentence, and the body that it answers with. */
export const Answers = (summary: string, type: Answer) =>
  applyDecorators(HttpCode(200), does(summary), ApiOkResponse(typed(type)));

/** The same for what makes something: 201. */
export const AnswersCreated = (summary: string, type: Answer) =>
  applyDecorators(does(summary), ApiCreatedResponse(typed(type)));

/** The same for what answers without a body: 204. */
export const AnswersNothing = (summary: string) =>
  applyDecorators(HttpCode(204), does(summary), ApiNoContentResponse());

/** The same for a list by pages: the method gives a `Page`, its rows are the body. */
export const AnswersPage = (summary: string, row: Type, headers?: typeof ApiTotal): Sends<Page<unknown>> =>
  applyDecorators(
    does(summary),
    ApiOkResponse({ ...typed([row]), ...(headers ? { headers } : {}) }),
    ApiList(),
    sentBy<Page<unknown>>(sendPage),
  );

/** The same for a list of the administration: the method gives an `AdminPage`, its rows are the body. */
export const AnswersAdminPage = (summary: string, row: Type): Sends<AdminPage<unknown>> =>
  applyDecorators(
    does(summary),
    ApiOkResponse({ ...typed([row]), headers: ApiTotal }),
    ApiAdminList(),
    sentBy<AdminPage<unknown>>(sendAdminPage),
  );

/** The same for a list as a CSV file. */
export const AnswersCsv = (summary: string, ...errors: ErrorFactory[]) =>
  applyDecorators(
    does(summary),
    ApiProduces('text/csv'),
    ApiOkResponse({
      description: 'UTF-8 with a byte order mark',
      content: { 'text/csv': { schema: { type: 'string' } } },
    }),
    ApiErrors(...errors),
  );
