import GridViewRounded from '@mui/icons-material/GridViewRounded';
import ViewListRounded from '@mui/icons-material/ViewListRounded';
import IconButton from '@mui/material/IconButton';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Tooltip from '@mui/material/Tooltip';
import { useTranslation } from 'react-i18next';
import { useNarrow } from '../hooks/use-narrow';
import { useStoredChoice } from '../hooks/use-stored-choice';

export const views = ['grid', 'list'] as const;
export type View = (typeof views)[number];

const icons = { grid: GridViewRounded, list: ViewListRounded };

/** Grid or list, as this browser remembers it for the place `name`; until somebody has chosen there, `initial`. */
export function useView(name: string, initial: View = 'grid'): [View, (view: View) => void] {
  return useStoredChoice(`${name}.view`, views, initial);
}

interface Props {
  view: View;
  onChange: (view: View) => void;
}

/** Chooses between cards and rows; on a phone by one button, which leads to the other. */
export function ViewToggle({ view, onChange }: Props) {
  const { t } = useTranslation('browse');
  const narrow = useNarrow();
  if (narrow) return <OtherView view={view} onChange={onChange} />;
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

function OtherView({ view, onChange }: Props) {
  const { t } = useTranslation('browse');
  const other = view === 'grid' ? 'list' : 'grid';
  const Icon = icons[other];
  return (
    <Tooltip title={t(`view.${other}`)}>
      <IconButton aria-label={t(`view.${other}`)} onClick={() => onChange(other)}>
        <Icon />
      </IconButton>
    </Tooltip>
  );
}
