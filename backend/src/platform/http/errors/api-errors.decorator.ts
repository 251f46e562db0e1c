import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath, type ApiResponseOptions } from '@nestjs/swagger';
import type { ErrorFactory } from '../../errors/app-error.js';
import { ErrorBody } from './error-body.dto.js';

const API_ERRORS = 'zonary:api-errors';

/** The media type and schema of every error; without an explicit media type, that of the route's result would apply. */
const ERROR_CONTENT = { 'application/json': { schema: { $ref: getSchemaPath(ErrorBody) } } };

/**
 * Documents the errors of a route, or of all routes of a controller: one response per status, with the messages and, as
 * `x-error-codes`, the codes. Several uses on one method add up.
 */
export function ApiErrors(...errors: ErrorFactory[]): ClassDecorator & MethodDecorator {
  const decorator = (target: object, key?: string | symbol, descriptor?: TypedPropertyDescriptor<unknown>) => {
    const holder = (descriptor?.value ?? target) as object;
    const known = (Reflect.getOwnMetadata(API_ERRORS, holder) ?? []) as ErrorFactory[];
    const added = errors.filter((error) => !known.some((knownError) => knownError.code === error.code));
    Reflect.defineMetadata(API_ERRORS, [...known, ...added], holder);
    const decorate = applyDecorators(ApiExtraModels(ErrorBody), ...documentResponses(added, known));
    (decorate as (...args: unknown[]) => void)(target, key, descriptor);
  };
  return decorator as ClassDecorator & MethodDecorator;
}

/** Swagger merges the descriptions of one status but replaces the rest, so the codes must include the known ones. */
function documentResponses(added: ErrorFactory[], known: ErrorFactory[]): (ClassDecorator & MethodDecorator)[] {
  const statuses = [...new Set(added.map((error) => error.status))].sort((a, b) => a - b);
  return statuses.map((status) => {
    const codes = [...known, ...added].filter((error) => error.status === status).map((error) => error.code);
    const options: ApiResponseOptions & { 'x-error-codes': string[] } = {
      status,
      description: added
        .filter((error) => error.status === status)
        .map((error) => `\`${error.code}\`: ${error.sentence.en}`)
        .join('\n\n'),
      content: ERROR_CONTENT,
      'x-error-codes': codes,
    };
    return ApiResponse(options);
  });
}
