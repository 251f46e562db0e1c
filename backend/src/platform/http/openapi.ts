import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

/** The contract of the API, built from the controllers. The same whatever the configuration. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const options = new DocumentBuilder()
    .setTitle('Zonary API')
    .setDescription(
      'Creators share documents with an audience. Every error answers with `statusCode`, a stable `code`, a `message` ' +
        'for people and a `requestId`. Sign in with the page’s cookie or with an API token as a bearer.',
    )
    .setVersion('1')
    .addCookieAuth('zonary_session')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API token, made in the settings' })
    .build();
  const document = SwaggerModule.createDocument(app, options, {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  return withSortedEnums(document);
}

/** Serves the contract at /api/openapi.json and Swagger UI at /api/docs. */
export function serveOpenApi(app: INestApplication): void {
  SwaggerModule.setup('api/docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'api/openapi.json',
    raw: ['json'],
    swaggerOptions: { persistAuthorization: true },
  });
}

/**
 * The compiler gives the members of a union in an order that changes from build to build; the contract must not. A copy:
 * what the document holds are in part the very lists that the product works with.
 */
function withSortedEnums<T>(node: T): T {
  if (node === null || typeof node !== 'object') return node;
  if (Array.isArray(node)) return node.map(withSortedEnums) as T;
  const entries = Object.entries(node).map(([key, inner]) => [
    key,
    key === 'enum' && Array.isArray(inner) ? [...inner].sort() : withSortedEnums(inner),
  ]);
  return Object.fromEntries(entries) as T;
}
