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
import { parseId, useZone } from '../../shared/api/use-zone';
import { useLanguageChoice } from '../../shared/hooks/use-language-choice';
import { colorMode, useColorMode } from '../../shared/preferences/color-mode';
import { useHomePreference } from '../../shared/account/home-preference';
import { getNavigation } from '../layout/navigation/navigation';
import type { Command } from './commands';

/** The command that searches only the current zone. */
export const SEARCH_ZONE_COMMAND = 'search-zone';

/** All commands that need no request: zones, pages and actions. */
export function useCommands(query: string): Command[] {
  return [...useZoneCommands(), ...usePageCommands(), ...useActionCommands(query)];
}

function useZoneCommands(): Command[] {
  const { data: ownZones = [] } = $api.useQuery('get', '/api/zones');
  const { data: sharedZones = [] } = $api.useQuery('get', '/api/shared-zones');
  return [
    ...ownZones.map(({ id, name }) => ({ id, name, icon: FolderSpecialRounded })),
    ...sharedZones.map(({ id, name }) => ({ id, name, icon: FolderSharedRounded })),
  ].map(({ id, ...rest }) => ({ id: `zone-${id}`, group: 'zones', run: `/zones/${id}`, ...rest }));
}

function usePageCommands(): Command[] {
  const { t } = useTranslation();
  const { data: user } = useCurrentUser();
  return getNavigation(user, useHomePreference())
    .filter(({ newTab }) => !newTab)
    .map(({ to, label, icon }) => ({ id: `page-${to}`, group: 'pages', name: t(label), icon, run: to }));
}

function useActionCommands(query: string): Command[] {
  const { t } = useTranslation('palette');
  const { t: tCommon } = useTranslation();
  const [language, changeLanguage] = useLanguageChoice();
  const mode = useColorMode();
  const signOut = useSignOut();
  const zoneActions = useZoneActionCommands(query);
  const createAction = (id: string, name: string, icon: Command['icon'], run: Command['run']): Command => ({
    id,
    group: 'actions',
    name,
    icon,
    run,
  });
  const modes = (['light', 'dark', 'system'] as const).filter((other) => other !== mode);
  return [
    ...zoneActions,
    createAction('create-zone', t('createZone'), AddRounded, '/zones?create=zone'),
    ...modes.map((next) =>
      createAction(next, t(`appearance.${next}`), next === 'dark' ? DarkModeRounded : LightModeRounded, () =>
        colorMode.set(next),
      ),
    ),
    createAction('language', t('language'), TranslateRounded, () => changeLanguage(language === 'tr' ? 'en' : 'tr')),
    createAction('sign-out', tCommon('signOut.action'), LogoutRounded, () => signOut.mutate()),
  ];
}

/** Actions for the zone behind the palette. */
function useZoneActionCommands(query: string): Command[] {
  const { t } = useTranslation('palette');
  const zoneMatch = useMatch('/zones/:zoneId/*');
  const { data: zone } = useZone(parseId(zoneMatch?.params.zoneId));
  if (!zoneMatch || !zone) return [];
  const zonePath = `/zones/${zone.id}`;
  const textValues = { zone: zone.name };
  const all: (Command | false)[] = [
    query !== '' && {
      id: SEARCH_ZONE_COMMAND,
      group: 'actions',
      name: t('searchZone', { ...textValues, typed: query }),
      icon: SearchRounded,
      run: `${zonePath}?q=${encodeURIComponent(query)}`,
    },
    zone.can.share && {
      id: 'share',
      group: 'actions',
      name: t('share', textValues),
      icon: ShareRounded,
      run: `${zonePath}/share`,
    },
    zone.can.manageFiles && {
      id: 'trash',
      group: 'actions',
      name: t('trash', textValues),
      icon: DeleteOutlineRounded,
      run: `${zonePath}/trash`,
    },
    {
      id: 'zone-settings',
      group: 'actions',
      name: t('zoneSettings', textValues),
      icon: SettingsRounded,
      run: `${zonePath}/settings`,
    },
  ];
  return all.filter((command): command is Command => command !== false);
}
