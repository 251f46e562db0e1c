import SearchRounded from '@mui/icons-material/SearchRounded';
import { rankMatch, filterCommands, type Command } from './commands';

const makeCommand = (id: string, group: Command['group'], name = id): Command => ({
  id,
  group,
  name,
  icon: SearchRounded,
  run: '/',
});

describe('rankMatch', () => {
  it('matches when the name contains every word, ignoring case and variants of I', () => {
    expect(rankMatch('Watercolour course', 'COURSE water')).not.toBeNull();
    expect(rankMatch('Işık atölyesi', 'işik')).not.toBeNull();
    expect(rankMatch('Işık atölyesi', 'IŞIK')).not.toBeNull();
    expect(rankMatch('Watercolour course', 'oil')).toBeNull();
    expect(rankMatch('Anything', '')).toBe(0);
  });

  it('ranks a match at the start first, then at the start of a word', () => {
    expect(rankMatch('Plans', 'pla')).toBe(0);
    expect(rankMatch('My plans', 'pla')).toBe(1);
    expect(rankMatch('Airplane', 'pla')).toBe(2);
  });
});

describe('filterCommands', () => {
  it('sorts by group and rank and keeps the server’s order of found items', () => {
    const all = [
      makeCommand('settings', 'pages', 'Plan settings'),
      makeCommand('f2', 'found', 'zzz'),
      makeCommand('z1', 'zones', 'Airplane'),
      makeCommand('f1', 'found', 'plan'),
      makeCommand('z2', 'zones', 'Plans'),
      makeCommand('new', 'actions', 'New zone'),
    ];
    expect(filterCommands(all, 'plan').map(({ id }) => id)).toEqual(['z2', 'z1', 'f2', 'f1', 'settings']);
  });

  it('limits the number of commands of a group', () => {
    const zones = Array.from({ length: 40 }, (_, index) => makeCommand(`z${index}`, 'zones', `Zone ${index}`));
    expect(filterCommands(zones, 'zone')).toHaveLength(6);
  });
});
