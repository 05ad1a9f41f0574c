-- links.lua - links of a page to files of the tree: to their page where they have one, otherwise to a copy of them. The
-- environment says which page it is (PAGE_SOURCE) and where the list of pages and that of copies are (PAGE_LIST,
-- PAGE_COPIES).
local pages, folder = {}, os.getenv("PAGE_SOURCE"):match("^(.*)/") or "."
for line in io.lines(os.getenv("PAGE_LIST")) do
  local name, source = line:match("^([^#\t]+)\t([^\t]+)")
  if name then pages[source] = name .. ".html" end
end

-- "docs/../lib/impact.h" is lib/impact.h.
local function plain(path)
  local parts = {}
  for part in path:gmatch("[^/]+") do
    if part == ".." and #parts > 0 then table.remove(parts)
    elseif part ~= "." then parts[#parts + 1] = part end
  end
  return table.concat(parts, "/")
end

local function target(link)
  local path, anchor = link:match("^([^#]*)(.*)$")
  if path == "" or link:match("^%a+:") then return link end
  path = plain(folder .. "/" .. path)
  if pages[path] then return pages[path] .. anchor end
  local copies = io.open(os.getenv("PAGE_COPIES"), "a")
  copies:write(path, "\n")
  copies:close()
  return "source/" .. path
end

function Link(link)
  link.target = target(link.target)
  return link
end

function Image(image)
  image.src = target(image.src)
  return image
end
