import { getUtcOffset, listTimeZones, splitTimeZone } from './time-zones';

describe('Time zones', () => {
  it('include all known zones and the saved one', () => {
    expect(listTimeZones(null)).toContain('Europe/Istanbul');
    expect(listTimeZones('Europe/Istanbul').filter((zone) => zone === 'Europe/Istanbul')).toHaveLength(1);
    expect(listTimeZones('Turkey')).toContain('Turkey');
  });

  it('are split into place and region', () => {
    expect(splitTimeZone('America/Argentina/Buenos_Aires')).toEqual({
      place: 'Argentina, Buenos Aires',
      region: 'America',
    });
    expect(splitTimeZone('UTC')).toEqual({ place: 'UTC', region: 'UTC' });
  });

  it('show their offset from GMT', () => {
    expect(getUtcOffset('Europe/Istanbul', new Date('2026-01-01T00:00:00Z'))).toBe('GMT+3');
  });
});
