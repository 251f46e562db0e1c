import SearchRounded from '@mui/icons-material/SearchRounded';
import { fit, matching, type Command } from './commands';

const command = (id: string, group: Command['group'], name = id): Command => ({
  id,
  group,
  name,
  icon: SearchRounded,
  run: '/',
});

describe('a name', () => {
  it('fits when it holds every word, in either case and with any of the four I', () => {
    expect(fit('Watercolour course', 'COURSE water')).not.toBeNull();
    expect(fit('Işık atölyesi', 'işik')).not.toBeNull();
    expect(fit('Işık atölyesi', 'IŞIK')).not.toBeNull();
    expect(fit('Watercolour course', 'oil')).toBeNull();
    expect(fit('Anything', '')).toBe(0);
  });

  it('fits best at its beginning, then at the beginning of a word', () => {
    expect(fit('Plans', 'pla')).toBe(0);
    expect(fit('My plans', 'pla')).toBe(1);
    expect(fit('Airplane', 'pla')).toBe(2);
  });
});

describe('the lines of the palette', () => {
  it('stand in the order of their groups, the best first, and what the server found as it came', () => {
    const all = [
      command('settings', 'pages', 'Plan settings'),
      command('f2', 'found', 'zzz'),
      command('z1', 'zones', 'Airplane'),
      command('f1', 'found', 'plan'),
      command('z2', 'zones', 'Plans'),
      command('new', 'actions', 'New zone'),
    ];
    expect(matching(all, 'plan').map(({ id }) => id)).toEqual(['z2', 'z1', 'f2', 'f1', 'settings']);
  });

  it('are not too many of one group', () => {
    const zones = Array.from({ length: 40 }, (_, index) => command(`z${index}`, 'zones', `Zone ${index}`));
    expect(matching(zones, 'zone')).toHaveLength(6);
  });
});
