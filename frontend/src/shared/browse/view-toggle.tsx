import GridViewRounded from '@mui/icons-material/GridViewRounded';
import ViewListRounded from '@mui/icons-material/ViewListRounded';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Tooltip from '@mui/material/Tooltip';
import { useTranslation } from 'react-i18next';
import { useStoredChoice } from '../hooks/use-stored-choice';

export const views = ['grid', 'list'] as const;
export type View = (typeof views)[number];

const icons = { grid: GridViewRounded, list: ViewListRounded };

/** Grid or list, as this browser remembers it for the place `name`. */
export function useView(name: string): [View, (view: View) => void] {
  return useStoredChoice(`${name}.view`, views, 'grid');
}

/** Chooses between cards and rows. */
export function ViewToggle({ view, onChange }: { view: View; onChange: (view: View) => void }) {
  const { t } = useTranslation('browse');
  return (
    <ToggleButtonGroup
      exclusive
      value={view}
      aria-label={t('view.label')}
      onChange={(_event, next: View | null) => next && onChange(next)}
    >
      {views.map((name) => {
        const Icon = icons[name];
        return (
          <ToggleButton key={name} value={name} aria-label={t(`view.${name}`)} sx={{ px: 2 }}>
            <Tooltip title={t(`view.${name}`)} describeChild>
              <Icon />
            </Tooltip>
          </ToggleButton>
        );
      })}
    </ToggleButtonGroup>
  );
}
