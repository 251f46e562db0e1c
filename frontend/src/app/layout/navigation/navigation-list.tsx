import ExpandLessRounded from '@mui/icons-material/ExpandLessRounded';
import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Divider from '@mui/material/Divider';
import Tooltip from '@mui/material/Tooltip';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useFirstPage } from '../../../shared/account/first-page';
import type { CurrentUser } from '../../../shared/api/current-user';
import { toId, useZone } from '../../../shared/api/use-zone';
import { useStoredFlag } from '../../../shared/hooks/use-stored-flag';
import { isCurrent, navigationGroupsFor, type NavigationEntry, type NavigationGroupName } from './navigation';

/** The links of the sidebar; collapsed they are icons whose names appear beside them. */
export function NavigationList({ user, collapsed }: { user?: CurrentUser; collapsed: boolean }) {
  const { t } = useTranslation();
  const section = useSection();
  const page = useFirstPage();
  return (
    <Box component="nav" aria-label={t('nav.main')} sx={{ px: collapsed ? 2 : 3, py: 2 }}>
      {navigationGroupsFor(user, page).map(({ name, entries }) => {
        const links = { entries, section, collapsed };
        if (name === 'administration') return <Administration key={name} {...links} />;
        return <Group key={name} name={name} {...links} />;
      })}
    </Box>
  );
}

interface GroupProps {
  entries: readonly NavigationEntry[];
  section: string;
  collapsed: boolean;
}

/** Some of the links below one heading; between icons a line stands for it. */
function Group({ name, ...links }: GroupProps & { name: Exclude<NavigationGroupName, 'administration'> }) {
  const { t } = useTranslation();
  const id = useId();
  if (name === 'start') return <Links {...links} />;
  const isTitled = name !== 'rest';
  return (
    <>
      {(links.collapsed || !isTitled) && <Divider aria-hidden sx={{ my: 2 }} />}
      {isTitled && (
        <Box id={id} className={links.collapsed ? 'z-visually-hidden' : undefined} sx={{ ...heading, mt: 3 }}>
          {t(`nav.groups.${name}`)}
        </Box>
      )}
      <Links {...links} labelledBy={isTitled ? id : undefined} />
    </>
  );
}

/** What administrators find; closed until they open it or come to one of its pages from elsewhere. */
function Administration({ entries, section, collapsed }: GroupProps) {
  const { t } = useTranslation();
  const id = useId();
  const isInside = entries.some((entry) => isCurrent(entry, section));
  const [stored, setStored] = useStoredFlag('administrationOpen', false);
  const [isClosedInside, setIsClosedInside] = useState(false);
  if (isClosedInside && !isInside) setIsClosedInside(false);
  const open = stored || (isInside && !isClosedInside);
  const toggle = () => {
    setStored(!open);
    setIsClosedInside(open && isInside);
  };
  const name = t('nav.groups.administration');
  const Arrow = open ? ExpandLessRounded : ExpandMoreRounded;
  return (
    <>
      <Divider aria-hidden sx={{ my: 2 }} />
      <Tooltip title={collapsed ? name : ''} placement="right">
        <ButtonBase
          onClick={toggle}
          aria-expanded={open}
          aria-controls={id}
          aria-label={collapsed ? name : undefined}
          sx={{
            ...heading,
            width: '100%',
            minHeight: 36,
            '@media (pointer: coarse)': { minHeight: 44 },
            justifyContent: collapsed ? 'center' : 'space-between',
            borderRadius: 1,
            '&:hover': { bgcolor: 'hover' },
          }}
        >
          {!collapsed && name}
          <Arrow />
        </ButtonBase>
      </Tooltip>
      <Box id={id} hidden={!open}>
        <Links {...{ entries, section, collapsed }} label={name} />
      </Box>
    </>
  );
}

const heading = { px: 3, py: 1, typography: 'caption', fontWeight: 'fontWeightMedium', color: 'text.secondary' };

function Links({ entries, section, collapsed, ...named }: GroupProps & { label?: string; labelledBy?: string }) {
  return (
    <Box
      component="ul"
      aria-label={named.label}
      aria-labelledby={named.labelledBy}
      sx={{ display: 'grid', gap: 1, m: 0, p: 0, listStyle: 'none' }}
    >
      {entries.map((entry) => (
        <li key={entry.to}>
          <NavigationLink entry={entry} current={isCurrent(entry, section)} collapsed={collapsed} />
        </li>
      ))}
    </Box>
  );
}

/** The address by which the current entry is found: a zone of somebody else belongs to those shared with one. */
function useSection(): string {
  const { pathname } = useLocation();
  const { data: zone } = useZone(toId(/^\/zones\/([^/]+)/.exec(pathname)?.[1]));
  return zone?.isOwner === false ? '/shared-zones' : pathname;
}

interface LinkProps {
  entry: NavigationEntry;
  current: boolean;
  collapsed: boolean;
}

function NavigationLink({ entry, current, collapsed }: LinkProps) {
  const { t } = useTranslation();
  const name = t(entry.label);
  const label = entry.newTab ? `${name} (${t('nav.newTab')})` : name;
  const Icon = entry.icon;
  return (
    <Tooltip title={collapsed ? name : ''} placement="right">
      <ButtonBase
        component={Link}
        to={entry.to}
        target={entry.newTab ? '_blank' : undefined}
        aria-label={collapsed || entry.newTab ? label : undefined}
        aria-current={current ? 'page' : undefined}
        sx={{
          width: '100%',
          minHeight: 36,
          '@media (pointer: coarse)': { minHeight: 44 },
          justifyContent: collapsed ? 'center' : 'flex-start',
          gap: 3,
          px: collapsed ? 0 : 3,
          borderRadius: 1,
          typography: 'subtitle2',
          color: current ? 'primary.main' : 'text.primary',
          bgcolor: current ? 'tint.accent' : 'transparent',
          '&:hover': { bgcolor: current ? 'tint.accent' : 'hover' },
        }}
      >
        <Icon sx={{ color: current ? 'inherit' : 'text.secondary' }} />
        {!collapsed && name}
      </ButtonBase>
    </Tooltip>
  );
}
