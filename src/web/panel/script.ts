/**
 * What makes the panel quicker: counts times down, copies texts, and brings what was just said into view. Without it
 * every page works alike.
 */
export const panelScript = `
const words = (minutes) => {
  const days = Math.floor(minutes / 1440), hours = Math.floor((minutes % 1440) / 60);
  if (days > 0) return days + ' d ' + hours + ' h';
  return hours > 0 ? hours + ' h ' + (minutes % 60) + ' min' : minutes + ' min';
};
const clocks = document.querySelectorAll('[data-remains]');
const began = performance.now();
function tick() {
  for (const clock of clocks) {
    const minutes = Math.max(0, Math.ceil((Number(clock.dataset.remains) - (performance.now() - began) / 1000) / 60));
    clock.textContent = words(minutes);
  }
}
if (clocks.length > 0) setInterval(tick, 15000);

for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy).catch(() => {});
    const said = document.getElementById(button.dataset.said);
    if (said) said.textContent = button.dataset.done;
  });
}
`;
