import SearchRounded from '@mui/icons-material/SearchRounded';
import { rankMatch, filterCommands, type Command } from './commands';

const makeCommand = (id: string, group: Command['group'], name = id): Command => ({
  id,
  group,
  name,
  icon: SearchRounded,
  run: '/',
});

describe('a name', () => {
  it('fits when it holds every word, in either case and with any of the four I', () => {
    expect(rankMatch('Watercolour course', 'COURSE water')).not.toBeNull();
    expect(rankMatch('Işık atölyesi', 'işik')).not.toBeNull();
    expect(rankMatch('Işık atölyesi', 'IŞIK')).not.toBeNull();
    expect(rankMatch('Watercolour course', 'oil')).toBeNull();
    expect(rankMatch('Anything', '')).toBe(0);
  });

  it('fits best at its beginning, then at the beginning of a word', () => {
    expect(rankMatch('Plans', 'pla')).toBe(0);
    expect(rankMatch('My plans', 'pla')).toBe(1);
    expect(rankMatch('Airplane', 'pla')).toBe(2);
  });
});

describe('the lines of the palette', () => {
  it('stand in the order of their groups, the best first, and what the server found as it came', () => {
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

  it('are not too many of one group', () => {
    const zones = Array.from({ length: 40 }, (_, index) => makeCommand(`z${index}`, 'zones', `Zone ${index}`));
    expect(filterCommands(zones, 'zone')).toHaveLength(6);
  });
});
