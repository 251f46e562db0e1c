import { readFileSync } from 'node:fs';
import { toZone } from '../../bench/lib/bare-zone.mjs';

const { schemas } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')).components;

/** A field that only one of the two has would stop `npm run bench:api` before it measures anything. */
describe('what the list of zones is measured against', () => {
  const zone = toZone({});

  it('answers the fields of a zone', () => {
    expect(Object.keys(zone).sort()).toEqual(Object.keys(schemas.ZoneDto.properties).sort());
  });

  it('answers what may be done with it', () => {
    expect(Object.keys(zone.can).sort()).toEqual(Object.keys(schemas.ZoneAbilitiesDto.properties).sort());
  });
});
