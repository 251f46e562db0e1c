import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

/** Builds the OpenAPI document from the controllers. Independent of the configuration. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const options = new DocumentBuilder()
    .setTitle('Zonary API')
    .setDescription(
      'Creators share documents with an audience. Every error has a `statusCode`, a stable `code`, a human-readable ' +
        '`message` and a `requestId`. Authenticate with the session cookie of the web page or with an API token.',
    )
    .setVersion('1')
    .addCookieAuth('zonary_session')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API token, created in the settings' })
    .build();
  const document = SwaggerModule.createDocument(app, options, {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  return withSortedEnums(document);
}

/** Swagger UI is made for wide screens: on a phone, paths wrap letter by letter and tables overflow the page. */
const NARROW_SCREEN_CSS = `
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 12px; }
  .swagger-ui .info { margin: 24px 0; }
  .swagger-ui .info .title { font-size: 28px; overflow-wrap: anywhere; }
  .swagger-ui .scheme-container { padding: 16px 0; }
  .swagger-ui .opblock-tag { flex-wrap: wrap; padding: 10px 0; font-size: 20px; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-control { flex-wrap: wrap; gap: 4px 8px; min-width: 0; }
  .swagger-ui .opblock .opblock-summary-path-description-wrapper { flex: 1 1 100%; flex-direction: column; min-width: 0; }
  .swagger-ui .opblock .opblock-summary-path { max-width: 100%; word-break: normal; overflow-wrap: anywhere; }
  .swagger-ui .opblock .opblock-summary-description { padding: 0 8px; overflow-wrap: anywhere; }
  .swagger-ui table.parameters, .swagger-ui table.responses-table { display: block; }
  .swagger-ui table.parameters :is(tbody, tr, td), .swagger-ui table.responses-table :is(tbody, tr, td) { display: block; width: 100%; max-width: 100%; box-sizing: border-box; }
  .swagger-ui table.parameters thead, .swagger-ui table.responses-table thead, .swagger-ui table.responses-table .responses-header { display: none; }
  .swagger-ui .parameters-col_description input, .swagger-ui .parameters-col_description select { width: 100%; max-width: 100%; min-width: 0; }
  .swagger-ui .model-box, .swagger-ui .models, .swagger-ui .highlight-code { max-width: 100%; overflow-x: auto; }
  .swagger-ui section.models .model-container { margin: 0 0 8px; overflow-x: auto; }
  .swagger-ui .model-title, .swagger-ui .prop-name { overflow-wrap: anywhere; }
}`;

/** Serves the OpenAPI document at /api/openapi.json and Swagger UI at /api/docs. */
export function serveOpenApi(app: INestApplication): void {
  SwaggerModule.setup('api/docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'api/openapi.json',
    raw: ['json'],
    swaggerOptions: { persistAuthorization: true },
    customCss: NARROW_SCREEN_CSS,
  });
}

/**
 * Sorts enums, because the compiler orders union members differently from build to build. Works on a copy, because the
 * document contains some of the product's own lists.
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
