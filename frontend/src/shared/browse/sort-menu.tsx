import ArrowDownwardRounded from '@mui/icons-material/ArrowDownwardRounded';
import ArrowUpwardRounded from '@mui/icons-material/ArrowUpwardRounded';
import CheckRounded from '@mui/icons-material/CheckRounded';
import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsMobile } from '../hooks/use-is-mobile';
import type { Sort } from './sort';

interface Props<K extends string> {
  sort: Sort<K>;
  /** Keys in display order, each with its translated name. */
  keys: readonly { key: K; name: string }[];
  onChange: (sort: Sort<K>) => void;
}

/** Chooses the sort key and reverses the direction, which on phones is an entry of the menu. */
export function SortMenu<K extends string>({ sort, keys, onChange }: Props<K>) {
  const { t } = useTranslation('browse');
  const isMobile = useIsMobile();
  const menuId = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const currentName = keys.find(({ key }) => key === sort.by)?.name ?? '';
  const isAscending = sort.order === 'asc';
  const toggleLabel = isAscending ? t('sort.toDescending') : t('sort.toAscending');
  const selectKey = (by: K) => {
    setAnchor(null);
    if (by !== sort.by) onChange({ ...sort, by });
  };
  const reverse = () => {
    setAnchor(null);
    onChange({ ...sort, order: isAscending ? 'desc' : 'asc' });
  };
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
      <Button
        aria-haspopup="menu"
        aria-expanded={Boolean(anchor)}
        aria-controls={anchor ? menuId : undefined}
        aria-label={t('sort.label', { key: currentName })}
        endIcon={<ExpandMoreRounded />}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {currentName}
      </Button>
      {!isMobile && (
        <Tooltip title={toggleLabel}>
          <IconButton aria-label={toggleLabel} onClick={reverse}>
            {isAscending ? <ArrowUpwardRounded /> : <ArrowDownwardRounded />}
          </IconButton>
        </Tooltip>
      )}
      <Menu
        id={menuId}
        disablePortal
        anchorEl={anchor}
        open={Boolean(anchor)}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { 'aria-label': t('sort.by') } }}
      >
        {keys.map(({ key, name }) => (
          <MenuItem
            key={key}
            role="menuitemradio"
            aria-checked={key === sort.by}
            autoFocus={key === sort.by}
            onClick={() => selectKey(key)}
          >
            <CheckRounded sx={{ visibility: key === sort.by ? 'visible' : 'hidden' }} />
            {name}
          </MenuItem>
        ))}
        {isMobile && <Divider />}
        {isMobile && (
          <MenuItem onClick={reverse}>
            {isAscending ? <ArrowDownwardRounded /> : <ArrowUpwardRounded />}
            {toggleLabel}
          </MenuItem>
        )}
      </Menu>
    </Box>
  );
}
