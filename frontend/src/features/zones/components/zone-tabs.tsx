import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge } from '../../../shared/ui/badge';
import { ScrollableTabs } from '../../../shared/ui/scrollable-tabs';
import { useJoinRequests } from '../api/use-join-requests';
import type { Zone } from '../sort-zones';

const TAB_NAMES = ['files', 'members', 'share', 'campaigns', 'settings'] as const;
type TabName = (typeof TAB_NAMES)[number];

export const tabPanelId = 'zone-tab-panel';
export const tabId = (name: TabName) => `zone-tab-${name}`;

/** Returns the current tab from the URL; files by default. */
export function useCurrentZoneTab(): TabName {
  const part = useLocation().pathname.split('/')[3];
  return TAB_NAMES.find((name) => name === part) ?? 'files';
}

function isTabVisible(name: TabName, { can }: Zone): boolean {
  const permissions = {
    members: can.seeMembers,
    share: can.share,
    campaigns: can.sendCampaigns,
    settings: can.editSettings,
  };
  return name === 'files' || permissions[name];
}

/** Returns the tabs that the viewer can see. People who can only read have one, so no tabs are shown. */
export function getVisibleTabs(zone: Zone): TabName[] {
  const visibleTabs = TAB_NAMES.filter((name) => isTabVisible(name, zone));
  return visibleTabs.length > 1 ? visibleTabs : [];
}

/** The tabs of a zone. Each is a link with its own URL; arrow keys move between them. */
export function ZoneTabs({ zone }: { zone: Zone }) {
  const { t } = useTranslation('zones');
  const requestedTab = useCurrentZoneTab();
  const visibleTabs = getVisibleTabs(zone);
  if (visibleTabs.length === 0) return null;
  const current = visibleTabs.includes(requestedTab) ? requestedTab : 'files';
  return (
    <ScrollableTabs value={current} aria-label={t('tabs.label')} mb={{ xs: 4, sm: 6 }}>
      {visibleTabs.map((name) => (
        <Tab
          key={name}
          id={tabId(name)}
          aria-controls={name === current ? tabPanelId : undefined}
          value={name}
          label={name === 'members' ? <MembersLabel zone={zone} /> : t(`tabs.${name}`)}
          component={Link}
          to={name === 'files' ? `/zones/${zone.id}` : `/zones/${zone.id}/${name}`}
          preventScrollReset
          onKeyDown={clickOnSpace}
        />
      ))}
    </ScrollableTabs>
  );
}

/** The number of members and, for people who can approve join requests, the number of pending requests. */
function MembersLabel({ zone }: { zone: Zone }) {
  const { t } = useTranslation('zones');
  const format = useFormat();
  const { data: requests } = useJoinRequests(zone.id, { enabled: zone.can.invite });
  const pendingCount = requests?.length ?? 0;
  const formatted = format.number(pendingCount);
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 2 }}>
      {t('tabs.members', { formatted: format.number(zone.memberCount) })}
      {pendingCount > 0 && (
        <Badge tone="accent">
          <span aria-hidden>{formatted}</span>
          <span className="z-visually-hidden">{t('tabs.requests', { count: pendingCount, formatted })}</span>
        </Badge>
      )}
    </Box>
  );
}

/** Lets the space bar activate a tab, which links don't support. */
function clickOnSpace(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== ' ') return;
  event.preventDefault();
  event.currentTarget.click();
}
