import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { ErrorFactory } from '../../errors/app-error.js';
import { ErrorBody } from './error-body.dto.js';

const API_ERRORS = 'zonary:api-errors';

/**
 * Documents the errors that a route, or every route of a controller, answers with: one response a status, which names
 * the codes and their sentences. Used several times on one method, the errors add up.
 */
export function ApiErrors(...errors: ErrorFactory[]): ClassDecorator & MethodDecorator {
  const decorator = (target: object, key?: string | symbol, descriptor?: TypedPropertyDescriptor<unknown>) => {
    const holder = (descriptor?.value ?? target) as object;
    const known = (Reflect.getOwnMetadata(API_ERRORS, holder) ?? []) as ErrorFactory[];
    const added = errors.filter((error) => !known.some((one) => one.code === error.code));
    Reflect.defineMetadata(API_ERRORS, [...known, ...added], holder);
    const decorate = applyDecorators(ApiExtraModels(ErrorBody), ...documentResponses(added, known));
    (decorate as (...args: unknown[]) => void)(target, key, descriptor);
  };
  return decorator as ClassDecorator & MethodDecorator;
}

/** Swagger joins descriptions of one status by itself and replaces the schema, which must then name all codes. */
function documentResponses(added: ErrorFactory[], known: ErrorFactory[]): (ClassDecorator & MethodDecorator)[] {
  const statuses = [...new Set(added.map((error) => error.status))].sort((a, b) => a - b);
  return statuses.map((status) => {
    const codes = [...known, ...added].filter((error) => error.status === status).map((error) => error.code);
    return ApiResponse({
      status,
      description: added
        .filter((error) => error.status === status)
        .map((error) => `\`${error.code}\`: ${error.sentence.en}`)
        .join('\n\n'),
      schema: {
        allOf: [
          { $ref: getSchemaPath(ErrorBody) },
          { type: 'object', properties: { code: { type: 'string', enum: codes } } },
        ],
      },
    });
  });
}
