import { defineErrors } from '../../errors/app-error.js';
import { ApiErrors } from './api-errors.decorator.js';

const errors = defineErrors({
  NOT_HERE: { status: 404, en: 'Not here', tr: 'Burada yok' },
  NOT_THERE: { status: 404, en: 'Not there', tr: 'Orada yok' },
  TAKEN: { status: 409, en: 'Taken', tr: 'Alınmış' },
});

class Routes {
  @ApiErrors(errors.NOT_HERE, errors.TAKEN)
  @ApiErrors(errors.NOT_THERE, errors.NOT_HERE)
  route(): void {}
}

it('ApiErrors documents each error once by status, even if applied repeatedly', () => {
  const documented = Reflect.getMetadata('swagger/apiResponse', Routes.prototype.route) as Record<
    string,
    { description: string; content: object; 'x-error-codes': string[] }
  >;
  const summary = Object.entries(documented).map(([status, { description, 'x-error-codes': codes }]) => [
    status,
    description,
    codes,
  ]);
  for (const { content } of Object.values(documented))
    expect(content).toEqual({ 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } });
  expect(summary).toEqual([
    ['404', '`NOT_THERE`: Not there\n\n`NOT_HERE`: Not here', ['NOT_THERE', 'NOT_HERE']],
    ['409', '`TAKEN`: Taken', ['TAKEN']],
  ]);
});
