import { readFileSync } from 'node:fs';
import { toZone } from '../../bench/lib/baseline-zone.mjs';

const { schemas } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')).components;

/** If the fields differ, `npm run bench:api` stops before it measures anything. */
describe('Baseline zone response of the zone list benchmark', () => {
  const zone = toZone({});

  it('has exactly the fields of ZoneDto', () => {
    expect(Object.keys(zone).sort()).toEqual(Object.keys(schemas.ZoneDto.properties).sort());
  });

  it('has exactly the abilities of ZoneAbilitiesDto', () => {
    expect(Object.keys(zone.can).sort()).toEqual(Object.keys(schemas.ZoneAbilitiesDto.properties).sort());
  });
});
