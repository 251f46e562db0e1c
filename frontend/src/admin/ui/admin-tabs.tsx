import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import type { KeyboardEvent, ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { ScrollableTabs } from '../../shared/ui/scrollable-tabs';

export interface AdminTab {
  /** Its path segment; empty for the first tab. */
  name: string;
  label: string;
  content: ReactNode;
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
  const tabInUrl = useParams().tab;
  const current = tabs.find(({ name }) => name === tabInUrl) ?? tabs[0];
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
            to={tab.name ? `${basePath}/${tab.name}` : basePath}
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
