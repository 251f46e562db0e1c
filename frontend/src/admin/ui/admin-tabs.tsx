import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import type { KeyboardEvent, ReactNode } from 'react';
import { Link, Navigate, useParams } from 'react-router';
import { ScrollableTabs } from '../../shared/ui/scrollable-tabs';

export interface AdminTab {
  /** Its path segment; empty for the first tab. */
  name: string;
  label: string;
  content: ReactNode;
  /** Its records have addresses below the tab's. */
  hasRecords?: boolean;
}

interface Props {
  label: string;
  /** Path of the screen. */
  basePath: string;
  tabs: readonly [AdminTab, ...AdminTab[]];
}

const PANEL_ID = 'admin-tab-panel';
const toTabId = (name: string) => `admin-tab-${name || 'first'}`;

/** Tabs of an admin screen, each with its own URL. */
export function AdminTabs({ label, basePath, tabs }: Props) {
  const { tab: tabInUrl, id } = useParams();
  const current = tabs.find(({ name }) => name === tabInUrl) ?? tabs[0];
  const toPath = ({ name }: AdminTab) => (name ? `${basePath}/${name}` : basePath);
  if (id !== undefined && !current.hasRecords) return <Navigate to={toPath(current)} replace />;
  return (
    <>
      <ScrollableTabs value={current.name} aria-label={label} mb={6}>
        {tabs.map((tab) => (
          <Tab
            key={tab.name}
            id={toTabId(tab.name)}
            aria-controls={tab === current ? PANEL_ID : undefined}
            value={tab.name}
            label={tab.label}
            component={Link}
            to={toPath(tab)}
            preventScrollReset
            onKeyDown={clickOnSpace}
          />
        ))}
      </ScrollableTabs>
      <Box role="tabpanel" id={PANEL_ID} aria-labelledby={toTabId(current.name)}>
        {current.content}
      </Box>
    </>
  );
}

/** Tabs respond to the space bar too, which links don't. */
function clickOnSpace(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== ' ') return;
  event.preventDefault();
  event.currentTarget.click();
}
