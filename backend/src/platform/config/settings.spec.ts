import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppConfig } from './app-config.js';
import { valuesOf } from './settings.js';

const dataDir = mkdtempSync(join(tmpdir(), 'zonary-settings-'));
afterAll(() => rmSync(dataDir, { recursive: true }));
const read = (env: Record<string, string> = {}) => AppConfig.from({ DATA_DIR: dataDir, PORT: '3210', ...env });

describe('what is set in the page', () => {
  it('wins over the default, and a variable wins over it', () => {
    const config = read({ APP_NAME: 'By Variable', COMPANY_NAME: '' });
    config.take({ name: 'By Setting', address: 'http://zones.example', companyName: 'Sample Ltd' });
    expect(config.shown('name')).toEqual({
      ...{ key: 'name', value: 'By Variable', source: 'variable', variable: 'APP_NAME' },
    });
    expect(config.shown('companyName')).toMatchObject({ value: 'Sample Ltd', source: 'setting' });
    expect(config.shown('mailFrom')).toMatchObject({ value: 'By Variable <no-reply@localhost>', source: 'default' });
    expect(config.appName).toBe('By Variable');
    expect(config.appUrl).toBe('http://zones.example');
    expect(config.company.name).toBe('Sample Ltd');
    config.take({});
    expect(config.appUrl).toBe('http://localhost:3210');
    expect(config.company.name).toBeNull();
  });

  it('sends emails by the name of the installation until a sender is set', () => {
    const config = read();
    config.take({ name: 'Watercolour Weekly' });
    expect(config.mailFrom).toBe('Watercolour Weekly <no-reply@localhost>');
    config.take({ name: 'Ada, "Inc."' });
    expect(config.mailFrom).toBe('"Ada, \\"Inc.\\"" <no-reply@localhost>');
    config.take({ name: 'Watercolour', mailFrom: 'Zones <hello@zones.example>' });
    expect(config.mailFrom).toBe('Zones <hello@zones.example>');
  });

  it('makes the default plan of a service, and of an audience of one’s own the largest, whatever a variable says', () => {
    const config = read();
    expect([config.sells, config.defaultPlanWith({})]).toEqual([true, 'free']);
    expect(config.defaultPlanWith({ purpose: 'service', defaultPlan: 'starter' })).toBe('starter');
    const said = read({ DEFAULT_PLAN: 'creator' });
    expect(said.shown('defaultPlan')).toMatchObject({ value: 'creator', source: 'variable', variable: 'DEFAULT_PLAN' });
    expect(said.defaultPlanWith({ defaultPlan: 'starter' })).toBe('creator');
    expect(said.defaultPlanWith({ purpose: 'own', defaultPlan: 'starter' })).toBe('enterprise');
    config.take({ purpose: 'own' });
    expect(config.sells).toBe(false);
    expect(config.shown('purpose')).toEqual({ key: 'purpose', value: 'own', source: 'setting', variable: null });
    expect(() => read({ DEFAULT_PLAN: 'gold' })).toThrow('DEFAULT_PLAN');
  });

  it('decides at the start whether cookies are Secure, and at once who sees the mailbox', () => {
    const config = read();
    expect(config.showsMailbox).toBe(true);
    config.take({ address: 'https://zones.example' });
    expect([config.secure, config.showsMailbox]).toEqual([false, false]);
    config.begin({ address: 'https://zones.example' });
    expect(config.secure).toBe(true);
    config.take({ address: 'http://zones.example' });
    expect(config.secure).toBe(true);
  });

  it('is another generation only when it is another', () => {
    const config = read();
    const first = config.generation;
    config.take({});
    expect(config.generation).toBe(first);
    config.take({ name: 'Sample' });
    const second = config.generation;
    expect(second).not.toBe(first);
    config.take({ name: 'Sample' });
    expect(config.generation).toBe(second);
  });

  it('of another version is left alone', () => {
    const rows = [
      { key: 'name', value: 'Sample' },
      { key: 'companyName', value: { odd: true } },
      { key: 'toString', value: 'x' },
    ];
    expect(valuesOf(rows)).toEqual({ name: 'Sample' });
  });
});
