import { clampZoom, nextZoomStep, wheelZoom } from './zoom';

describe('Zoom', () => {
  it('moves in readable steps, even from values in between', () => {
    expect(nextZoomStep(1, 1)).toBe(1.25);
    expect(nextZoomStep(1, -1)).toBe(0.8);
    expect(nextZoomStep(1.3, 1)).toBe(1.5);
    expect(nextZoomStep(1.3, -1)).toBe(1.25);
    expect(nextZoomStep(5, 1)).toBe(5);
    expect(nextZoomStep(0.5, -1)).toBe(0.5);
  });

  it('stays within its bounds', () => {
    expect([0.01, 1.7, 99].map(clampZoom)).toEqual([0.5, 1.7, 5]);
  });

  it('by wheel is reversible and limited per event', () => {
    expect(wheelZoom(wheelZoom(2, 40), -40)).toBeCloseTo(2);
    expect(wheelZoom(1, -100)).toBeCloseTo(1.284);
    expect(wheelZoom(1, -5000)).toBe(wheelZoom(1, -100));
  });
});
