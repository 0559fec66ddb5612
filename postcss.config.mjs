/** Read aloud and not shown, as a name whose icon is enough: `@mixin visually-hidden`. */
const visuallyHidden = {
  position: "absolute",
  "clip-path": "inset(50%)",
  width: "1px",
  height: "1px",
  overflow: "hidden",
  "white-space": "nowrap",
};

export default { plugins: { "postcss-preset-mantine": { mixins: { "visually-hidden": visuallyHidden } } } };
