import AddRounded from '@mui/icons-material/AddRounded';
import DarkModeRounded from '@mui/icons-material/DarkModeRounded';
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import FolderSharedRounded from '@mui/icons-material/FolderSharedRounded';
import FolderSpecialRounded from '@mui/icons-material/FolderSpecialRounded';
import LightModeRounded from '@mui/icons-material/LightModeRounded';
import LogoutRounded from '@mui/icons-material/LogoutRounded';
import SearchRounded from '@mui/icons-material/SearchRounded';
import SettingsRounded from '@mui/icons-material/SettingsRounded';
import ShareRounded from '@mui/icons-material/ShareRounded';
import TranslateRounded from '@mui/icons-material/TranslateRounded';
import { useTranslation } from 'react-i18next';
import { useMatch } from 'react-router';
import { $api } from '../../shared/api/client';
import { useCurrentUser } from '../../shared/api/current-user';
import { useSignOut } from '../../shared/api/use-sign-out';
import { toId, useZone } from '../../shared/api/use-zone';
import { useLanguageChoice } from '../../shared/hooks/use-language-choice';
import { colorMode, useColorMode } from '../../shared/preferences/color-mode';
import { useFirstPage } from '../../shared/account/first-page';
import { navigationFor } from '../layout/navigation/navigation';
import type { Command } from './commands';

/** The command that searches only the zone that is shown. */
export const searchZone = 'search-zone';

/** Everything that can be gone to or done without asking the server: zones, pages, actions. */
export function useCommands(typed: string): Command[] {
  return [...useZoneCommands(), ...usePageCommands(), ...useActions(typed)];
}

function useZoneCommands(): Command[] {
  const { data: owned = [] } = $api.useQuery('get', '/api/zones');
  const { data: shared = [] } = $api.useQuery('get', '/api/shared-zones');
  return [
    ...owned.map(({ id, name }) => ({ id, name, icon: FolderSpecialRounded })),
    ...shared.map(({ id, name }) => ({ id, name, icon: FolderSharedRounded })),
  ].map(({ id, ...rest }) => ({ id: `zone-${id}`, group: 'zones', run: `/zones/${id}`, ...rest }));
}

function usePageCommands(): Command[] {
  const { t } = useTranslation();
  const { data: user } = useCurrentUser();
  return navigationFor(user, useFirstPage())
    .filter(({ newTab }) => !newTab)
    .map(({ to, label, icon }) => ({ id: `page-${to}`, group: 'pages', name: t(label), icon, run: to }));
}

function useActions(typed: string): Command[] {
  const { t } = useTranslation('palette');
  const { t: common } = useTranslation();
  const [language, speak] = useLanguageChoice();
  const mode = useColorMode();
  const signOut = useSignOut();
  const inZone = useActionsInZone(typed);
  const action = (id: string, name: string, icon: Command['icon'], run: Command['run']): Command => ({
    id,
    group: 'actions',
    name,
    icon,
    run,
  });
  const modes = (['light', 'dark', 'system'] as const).filter((other) => other !== mode);
  return [
    ...inZone,
    action('create-zone', t('createZone'), AddRounded, '/zones?create=zone'),
    ...modes.map((next) =>
      action(next, t(`appearance.${next}`), next === 'dark' ? DarkModeRounded : LightModeRounded, () =>
        colorMode.set(next),
      ),
    ),
    action('language', t('language'), TranslateRounded, () => speak(language === 'tr' ? 'en' : 'tr')),
    action('sign-out', common('signOut.action'), LogoutRounded, () => signOut.mutate()),
  ];
}

/** What can be done with the zone that is shown behind the palette. */
function useActionsInZone(typed: string): Command[] {
  const { t } = useTranslation('palette');
  const at = useMatch('/zones/:zoneId/*');
  const { data: zone } = useZone(toId(at?.params.zoneId));
  if (!at || !zone) return [];
  const to = `/zones/${zone.id}`;
  const named = { zone: zone.name };
  const all: (Command | false)[] = [
    typed !== '' && {
      id: searchZone,
      group: 'actions',
      name: t('searchZone', { ...named, typed }),
      icon: SearchRounded,
      run: `${to}?q=${encodeURIComponent(typed)}`,
    },
    zone.can.share && {
      id: 'share',
      group: 'actions',
      name: t('share', named),
      icon: ShareRounded,
      run: `${to}/share`,
    },
    zone.can.manageFiles && {
      id: 'trash',
      group: 'actions',
      name: t('trash', named),
      icon: DeleteOutlineRounded,
      run: `${to}/trash`,
    },
    {
      id: 'zone-settings',
      group: 'actions',
      name: t('zoneSettings', named),
      icon: SettingsRounded,
      run: `${to}/settings`,
    },
  ];
  return all.filter((command): command is Command => command !== false);
}
