import Tabs, { type TabsProps } from '@mui/material/Tabs';
import { useEffect, useRef } from 'react';

const SCROLL_BUTTON_WIDTH = 40;
/** After this time (ms) MUI's own animated scrolling has ended. */
const SETTLE_DELAY = 400;
const userScrollEvents = ['pointerdown', 'wheel', 'keydown'] as const;

interface Props extends Pick<TabsProps, 'aria-label' | 'children' | 'onChange'> {
  value: string;
  /** Space below. */
  mb?: number | { xs: number; sm: number };
}

/**
 * Tabs that don't fit on a phone. Buttons over the edges show that there are more; they take no space. The selected tab
 * is kept in view until the user scrolls, also when fonts and counts change the width of the tabs.
 */
export function ScrollableTabs({ value, mb, ...props }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = ref.current;
    return root ? keepSelectedTabInView(root) : undefined;
  }, [value]);
  return (
    <Tabs
      ref={ref}
      value={value}
      variant="scrollable"
      scrollButtons="auto"
      allowScrollButtonsMobile
      sx={{
        position: 'relative',
        borderBottom: 1,
        borderColor: 'divider',
        '& .MuiTabs-scrollButtons': {
          position: 'absolute',
          zIndex: 1,
          top: 0,
          bottom: 0,
          width: SCROLL_BUTTON_WIDTH,
          bgcolor: 'background.default',
          opacity: 1,
          '&:first-of-type': { left: 0 },
          '&:last-of-type': { right: 0 },
          '&.Mui-disabled': { display: 'none' },
        },
        mb,
      }}
      {...props}
    />
  );
}

function keepSelectedTabInView(root: HTMLElement): () => void {
  const scroller = root.querySelector<HTMLElement>('.MuiTabs-scroller');
  const tabs = root.querySelectorAll<HTMLElement>('[role=tab]');
  const selectedTab = root.querySelector<HTMLElement>('[role=tab][aria-selected=true]');
  if (!scroller || !selectedTab || typeof ResizeObserver === 'undefined') return () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new ResizeObserver(() => {
    scrollIntoView(scroller, selectedTab);
    clearTimeout(timer);
    timer = setTimeout(() => scrollIntoView(scroller, selectedTab), SETTLE_DELAY);
  });
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    for (const type of userScrollEvents) root.removeEventListener(type, stop);
  };
  for (const element of [scroller, ...tabs]) observer.observe(element);
  for (const type of userScrollEvents) root.addEventListener(type, stop, { passive: true });
  return stop;
}

/** Scrolls as far as needed for the tab to be visible beside the scroll buttons. */
function scrollIntoView(scroller: HTMLElement, tab: HTMLElement): void {
  const visible = scroller.getBoundingClientRect();
  const { left, right } = tab.getBoundingClientRect();
  const missingLeft = visible.left + SCROLL_BUTTON_WIDTH - left;
  const missingRight = right - (visible.right - SCROLL_BUTTON_WIDTH);
  if (missingLeft > 0) scroller.scrollLeft -= missingLeft;
  else if (missingRight > 0) scroller.scrollLeft += missingRight;
}
