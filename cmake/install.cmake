# What programs that use the library need: libpercuss.a, libpercuss.so with BUILD_SHARED_LIBS, headers, the
# CMake package Percuss and percuss.pc.
#
# Both libraries are made of the same objects, compiled once. Only what the public headers declare is visible
# outside of libpercuss.so (they say so), and calls inside of it go straight to their functions.
foreach(target percuss_library percuss_validate)
  set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET hidden)
  target_compile_options(${target} PRIVATE -fno-semantic-interposition)
endforeach()
set_target_properties(percuss_library PROPERTIES EXPORT_NAME percuss_static)
set_target_properties(percuss_validate PROPERTIES EXPORT_NAME percuss_validate)
install(TARGETS percuss_library percuss_validate EXPORT PercussStatic)
install(DIRECTORY include/percuss TYPE INCLUDE)

# Before version 1 every minor version may change the binary interface.
set(SHARED_VERSION ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(SHARED_VERSION 0.${PROJECT_VERSION_MINOR})
endif()
# The tests look at both libraries: without BUILD_SHARED_LIBS the shared one is built for them alone.
if(BUILD_SHARED_LIBS OR PERCUSS_TESTS)
  add_library(percuss_shared SHARED $<TARGET_OBJECTS:percuss_library> $<TARGET_OBJECTS:percuss_validate>)
  set_target_properties(percuss_shared PROPERTIES OUTPUT_NAME percuss EXPORT_NAME percuss_shared
                        VERSION ${PROJECT_VERSION} SOVERSION ${SHARED_VERSION} LINKER_LANGUAGE C
                        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/shared) # -L of the build tree is for archives
  target_include_directories(percuss_shared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(percuss_shared PRIVATE $<BUILD_INTERFACE:percuss_dependencies>)
  if(NOT INSTRUMENTS AND NOT PERCUSS_FUZZ)
    target_link_options(percuss_shared PRIVATE -Wl,--no-undefined)
  endif()
endif()

# What the library is linked with.
add_library(percuss_dependencies INTERFACE)
target_link_libraries(percuss_dependencies INTERFACE PkgConfig::PERCUSS_YAML PkgConfig::PERCUSS_HDF5
                      PkgConfig::PERCUSS_QHULL ${AMD_LIBRARY} ${METIS_LIBRARY} m Threads::Threads)
set(PC_REQUIRES "yaml-0.1 hdf5-serial qhull_r")
set(PC_PRIVATE ${PERCUSS_YAML_LDFLAGS} ${PERCUSS_HDF5_LDFLAGS} ${PERCUSS_QHULL_LDFLAGS})
if(PERCUSS_VIEWER)
  target_link_libraries(percuss_dependencies INTERFACE PkgConfig::PERCUSS_MICROHTTPD)
  string(APPEND PC_REQUIRES " libmicrohttpd")
  list(APPEND PC_PRIVATE ${PERCUSS_MICROHTTPD_LDFLAGS})
  set(PERCUSS_PACKAGE_VIEWER " MICROHTTPD=libmicrohttpd")
endif()
set(PC_LIBRARIES "-lpercuss_validate -lpercuss -lamd -lmetis -lm -pthread")

# percuss.pc, three of them: for the build tree, which has its own places, and for an installed static or
# shared library, which may be moved with its folder.
file(RELATIVE_PATH PREFIX_FROM_PC ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
set(PC_PREFIX ${CMAKE_CURRENT_BINARY_DIR})
set(PC_INCLUDE ${CMAKE_SOURCE_DIR}/include)
set(PC_LIBRARY "\${prefix}")
set(PC_LINK "Requires: ${PC_REQUIRES}\nLibs: -L\${libdir} ${PC_LIBRARIES}")
configure_file(percuss.pc.in percuss.pc @ONLY)
set(PC_PREFIX "\${pcfiledir}/${PREFIX_FROM_PC}")
set(PC_INCLUDE "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
set(PC_LIBRARY "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
configure_file(percuss.pc.in installed/static/percuss.pc @ONLY)
# Libraries and not Requires.private, which would ask for all that these are linked with in their turn.
list(JOIN PC_PRIVATE " " PC_PRIVATE)
set(PC_LINK "Libs: -L\${libdir} -lpercuss\nLibs.private: ${PC_LIBRARIES} ${PC_PRIVATE}")
configure_file(percuss.pc.in installed/shared/percuss.pc @ONLY)

# The package: find_package(Percuss) makes Percuss::percuss.
include(CMakePackageConfigHelpers)
set(PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/Percuss)
configure_package_config_file(cmake/PercussConfig.cmake.in PercussConfig.cmake
                              INSTALL_DESTINATION ${PACKAGE} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(PercussConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT PercussStatic NAMESPACE Percuss:: DESTINATION ${PACKAGE})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/PercussConfig.cmake
        ${CMAKE_CURRENT_BINARY_DIR}/PercussConfigVersion.cmake DESTINATION ${PACKAGE})

# What belongs to the shared library alone; `cmake --install BUILD --component shared` installs it from a
# build without BUILD_SHARED_LIBS, if `percuss_shared` was built.
set(LIBRARY_KIND static)
set(SHARED_ONLY COMPONENT shared EXCLUDE_FROM_ALL)
if(BUILD_SHARED_LIBS)
  set(LIBRARY_KIND shared)
  set(SHARED_ONLY "")
elseif(TARGET percuss_shared)
  set_target_properties(percuss_shared PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/installed/${LIBRARY_KIND}/percuss.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET percuss_shared)
  install(TARGETS percuss_shared EXPORT PercussShared LIBRARY ${SHARED_ONLY})
  install(EXPORT PercussShared NAMESPACE Percuss:: DESTINATION ${PACKAGE} ${SHARED_ONLY})
  if(NOT BUILD_SHARED_LIBS)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/installed/shared/percuss.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${SHARED_ONLY})
  endif()
endif()
