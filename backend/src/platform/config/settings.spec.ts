import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppConfig } from './app-config.js';
import { toSettingValues } from './settings.js';

const dataDir = mkdtempSync(join(tmpdir(), 'zonary-settings-'));
afterAll(() => rmSync(dataDir, { recursive: true }));
const read = (env: Record<string, string> = {}) => AppConfig.from({ DATA_DIR: dataDir, PORT: '3210', ...env });

describe('Installation settings', () => {
  it('overrides the default and is overridden by a variable', () => {
    const config = read({ APP_NAME: 'By Variable', COMPANY_NAME: '' });
    config.applySettings({ name: 'By Setting', address: 'http://zones.example', companyName: 'Sample Ltd' });
    expect(config.effectiveSetting('name')).toEqual({
      key: 'name',
      value: 'By Variable',
      source: 'variable',
      variable: 'APP_NAME',
    });
    expect(config.effectiveSetting('companyName')).toMatchObject({ value: 'Sample Ltd', source: 'setting' });
    expect(config.effectiveSetting('mailFrom')).toMatchObject({
      value: 'By Variable <no-reply@localhost>',
      source: 'default',
    });
    expect(config.appName).toBe('By Variable');
    expect(config.appUrl).toBe('http://zones.example');
    expect(config.company.name).toBe('Sample Ltd');
    config.applySettings({});
    expect(config.appUrl).toBe('http://localhost:3210');
    expect(config.company.name).toBeNull();
  });

  it('uses the installation name as sender until a sender is set', () => {
    const config = read();
    config.applySettings({ name: 'Watercolour Weekly' });
    expect(config.mailFrom).toBe('Watercolour Weekly <no-reply@localhost>');
    config.applySettings({ name: 'Ada, "Inc."' });
    expect(config.mailFrom).toBe('"Ada, \\"Inc.\\"" <no-reply@localhost>');
    config.applySettings({ name: 'Watercolour', mailFrom: 'Zones <hello@zones.example>' });
    expect(config.mailFrom).toBe('Zones <hello@zones.example>');
  });

  it('chooses the default plan by purpose and ignores the variable for own use', () => {
    const config = read();
    expect([config.isBillingEnabled, config.resolveDefaultPlan({})]).toEqual([true, 'free']);
    expect(config.resolveDefaultPlan({ purpose: 'service', defaultPlan: 'starter' })).toBe('starter');
    const settings = read({ DEFAULT_PLAN: 'creator' });
    expect(settings.effectiveSetting('defaultPlan')).toMatchObject({
      value: 'creator',
      source: 'variable',
      variable: 'DEFAULT_PLAN',
    });
    expect(settings.resolveDefaultPlan({ defaultPlan: 'starter' })).toBe('creator');
    expect(settings.resolveDefaultPlan({ purpose: 'own', defaultPlan: 'starter' })).toBe('enterprise');
    config.applySettings({ purpose: 'own' });
    expect(config.isBillingEnabled).toBe(false);
    expect(config.effectiveSetting('purpose')).toEqual({
      key: 'purpose',
      value: 'own',
      source: 'setting',
      variable: null,
    });
    expect(() => read({ DEFAULT_PLAN: 'gold' })).toThrow('DEFAULT_PLAN');
  });

  it('fixes secure cookies at start but applies mailbox visibility immediately', () => {
    const config = read();
    expect(config.showsMailbox).toBe(true);
    config.applySettings({ address: 'https://zones.example' });
    expect([config.isSecure, config.showsMailbox]).toEqual([false, false]);
    config.applyInitialSettings({ address: 'https://zones.example' });
    expect(config.isSecure).toBe(true);
    config.applySettings({ address: 'http://zones.example' });
    expect(config.isSecure).toBe(true);
  });

  it('gets a new generation only when settings change', () => {
    const config = read();
    const first = config.generation;
    config.applySettings({});
    expect(config.generation).toBe(first);
    config.applySettings({ name: 'Sample' });
    const second = config.generation;
    expect(second).not.toBe(first);
    config.applySettings({ name: 'Sample' });
    expect(config.generation).toBe(second);
  });

  it('ignores settings of another version', () => {
    const rows = [
      { key: 'name', value: 'Sample' },
      { key: 'companyName', value: { odd: true } },
      { key: 'toString', value: 'x' },
    ];
    expect(toSettingValues(rows)).toEqual({ name: 'Sample' });
  });
});
